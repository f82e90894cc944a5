import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLaunchKeys, type LaunchKeys, launchKeys, missingKeys, removeLaunchKeys } from './launch-keys.ts'

let root: string
let runtime: string
let wanted: string
let keys: LaunchKeys
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'keys-test-')))
  runtime = join(root, 'runtime')
  mkdirSync(runtime, { mode: 0o700 })
  wanted = join(runtime, 'paddock/keys/id')
  keys = launchKeys(join(root, 'keys'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const isLink = () => lstatSync(keys.keysFolder).isSymbolicLink()

describe('keys of a launch', () => {
  it('lie in the runtime folder, for this account only, and are found from the record', async () => {
    createLaunchKeys(keys, wanted)
    expect(readlinkSync(keys.keysFolder)).toBe(wanted)
    expect(readdirSync(wanted).sort()).toEqual(['channel', 'client-key', 'known-hosts'])
    expect(readdirSync(keys.channelFolder).sort()).toEqual(['authorized_keys', 'host_key', 'sshd_config'])
    for (const folder of [wanted, dirname(wanted), keys.channelFolder]) expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const file of [keys.clientKeyFile, join(keys.channelFolder, 'host_key')]) expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(keys.knownHostsFile, 'utf8')).toMatch(/^paddock-guest ssh-ed25519 AAAA/)
  })

  it.each<[string, () => string | null]>([
    ['there is no runtime folder', () => null],
    ['it is not there', () => join(root, 'absent/paddock/keys/id')],
    ['others can write it', () => (chmodSync(runtime, 0o777), wanted)],
    ['somebody put a link there', () => (mkdirSync(join(root, 'elsewhere')), symlinkSync(join(root, 'elsewhere'), join(runtime, 'paddock')), wanted)],
  ])('lie in the record when %s', async (_why, folder) => {
    createLaunchKeys(keys, folder())
    expect(isLink()).toBe(false)
    expect(readdirSync(keys.keysFolder).sort()).toEqual(['channel', 'client-key', 'known-hosts'])
    await removeLaunchKeys(keys)
    expect(existsSync(keys.keysFolder)).toBe(false)
  })

  it('go with the record, wherever they lie, twice, and however little of them was made', async () => {
    createLaunchKeys(keys, wanted)
    await removeLaunchKeys(keys)
    await removeLaunchKeys(keys)
    expect(readdirSync(dirname(wanted))).toEqual([])
    expect(readdirSync(root)).toEqual(['runtime'])
    // Cut short behind the link, and emptied at a log-out.
    symlinkSync(wanted, keys.keysFolder)
    await removeLaunchKeys(keys)
    expect(readdirSync(root)).toEqual(['runtime'])
  })

  it('are told apart when missing: gone at a log-out, or never made', async () => {
    expect(await missingKeys(keys)).toContain('an older Paddock')
    createLaunchKeys(keys, wanted)
    rmSync(runtime, { recursive: true })
    expect(await missingKeys(keys)).toContain(`gone with ${runtime}, which is emptied when you log out`)
  })
})
