import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from './fixtures/guest.ts'
import { createWorld, type World } from './harness.ts'

let world: World
let id: string

beforeAll(async () => {
  world = createWorld('guest-bulk')
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
  id = await startSandbox(world, 'minimal', world.project())
})
afterAll(() => world?.dispose())

const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
function hostFolder(name: string): string {
  const folder = join(world.folder, 'host', name)
  mkdirSync(folder, { recursive: true })
  return folder
}

describe('paddock cp of much', () => {
  const size = 40_000_000
  /** Programs before all others on the search path. */
  const withProgram = (name: string, script: string) => {
    const folder = hostFolder(name)
    writeFileSync(join(folder, 'ssh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return { PATH: `${folder}:${process.env.PATH}` }
  }
  const bothWays = async (name: string, env: Record<string, string>) => {
    const folder = hostFolder(name)
    const source = join(folder, 'source')
    writeFileSync(source, Buffer.alloc(size, `${name} and more of it\n`))
    for (const args of [[source, `${id}:/var/tmp/much`], [`${id}:/var/tmp/much`, join(folder, 'back')]]) {
      const { code, stderr } = await world.paddock(['cp', ...args], { env })
      expect(code, stderr).toBe(0)
    }
    expect(hash(join(folder, 'back'))).toBe(hash(source))
  }

  test('uses OpenSSH’s client, pinned to this launch', async () => {
    const log = join(hostFolder('ssh-log'), 'log')
    await bothWays('by-ssh', withProgram('logging', `printf '%s\\n' "$*" >> '${log}'; exec /usr/bin/ssh "$@"`))
    const calls = readFileSync(log, 'utf8').trim().split('\n')
    expect(calls).toHaveLength(2)
    for (const call of calls) expect(call).toMatch(/^-F none .*StrictHostKeyChecking yes.* -s -- paddock-guest sftp$/)
  })

  test('works where that gets no session, or ends half way', async () => {
    await bothWays('by-ssh2', withProgram('failing', 'exit 255'))
    const half = withProgram('half', 'dd bs=64k count=100 status=none | /usr/bin/ssh "$@"')
    const source = join(hostFolder('half-source'), 'source')
    writeFileSync(source, Buffer.alloc(size, 'half of it\n'))
    expect(await world.paddock(['cp', source, `${id}:/var/tmp/half`], { env: half })).toMatchObject({ code: 125, stderr: expect.stringContaining('ended the file session') })
    // What is there is a beginning of it, and the next try goes on with that.
    const { code, stderr } = await world.paddock(['cp', source, `${id}:/var/tmp/half`])
    expect(code, stderr).toBe(0)
    expect((await world.paddock(['exec', id, '--', 'sh', '-c', 'sha256sum < /var/tmp/half'])).stdout).toBe(`${hash(source)}  -\n`)
  })

  test('works where there is none', async () => {
    const folder = hostFolder('no-ssh')
    for (const place of ['/usr/bin', '/usr/sbin']) {
      for (const name of readdirSync(place)) if (name !== 'ssh' && !existsSync(join(folder, name))) symlinkSync(join(place, name), join(folder, name))
    }
    await bothWays('without-ssh', { PATH: folder })
  })
})
