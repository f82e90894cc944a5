import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakePodman, type FakePodman } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import { createTryFolders, type TryFolders } from './try-folders.ts'

let root: string
let place: string
let fake: FakePodman
let tries: TryFolders
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'try-folders-test-')))
  place = join(root, 'paddock/tries')
  fake = createFakePodman()
  tries = createTryFolders(fake.podman, place)
})
afterEach(() => {
  fake.remove()
  rmSync(root, { recursive: true, force: true })
})

const container = (project: string, state: string) => ({ Id: 'a'.repeat(64), Image: 'x', State: state, Labels: { 'dev.paddock.project': project } })
const running = (...containers: object[]) => fake.answer([{ on: '^ps ', stdout: JSON.stringify(containers) }])
const made = () => (existsSync(place) ? readdirSync(place) : [])

describe('a throwaway folder', () => {
  it('is empty, private and named after its profile; two of one profile are apart', async () => {
    const [first, second] = [await tries.create('web'), await tries.create('web')]
    expect([first, second].every((folder) => folder.startsWith(place) && folder.endsWith('/try-web'))).toBe(true)
    expect(first).not.toBe(second)
    expect(readdirSync(first)).toEqual([])
    expect(statSync(first).mode & 0o777).toBe(0o700)
  })

  it.each(['../../x', '..', '/etc', 'a/b', '', 'A'])('is made for no profile named %j', async (name) => {
    await expect(tries.create(name)).rejects.toMatchObject({ report: { code: 'profile-unknown' } })
    expect(made()).toEqual([])
  })

  it('stays while it is launched and while a sandbox stands on it, and goes with what is in it afterwards', async () => {
    const folder = await tries.create('web')
    running()
    await tries.tidy()
    expect(existsSync(folder)).toBe(true)
    tries.release(folder)
    running(container(folder, 'running'))
    await tries.tidy()
    writeFileSync(join(folder, 'file'), '')
    expect(existsSync(folder)).toBe(true)
    running(container(folder, 'exited'))
    await tries.tidy()
    expect(made()).toEqual([])
  })

  it('that a crash left behind goes at the next start, unless its sandbox still runs', async () => {
    const [left, used] = [await tries.create('web'), await tries.create('web')]
    running(container(used, 'running'))
    await createTryFolders(fake.podman, place).tidy()
    expect([existsSync(left), existsSync(used)]).toEqual([false, true])
  })

  it('stays when Podman cannot tell whether it is used', async () => {
    const folder = await tries.create('web')
    tries.release(folder)
    fake.answer([])
    await tries.tidy()
    expect(existsSync(folder)).toBe(true)
  })

  it('goes without what its links lead to, and nothing else of the place is touched', async () => {
    const folder = await tries.create('web')
    tries.release(folder)
    mkdirSync(join(root, 'precious'))
    writeFileSync(join(root, 'precious/file'), '')
    symlinkSync(join(root, 'precious'), join(folder, 'link'))
    writeFileSync(join(place, 'not-ours'), '')
    running()
    await tries.tidy()
    expect(made()).toEqual(['not-ours'])
    expect(existsSync(join(root, 'precious/file'))).toBe(true)
  })

  it('costs no question to Podman while there is none', async () => {
    await tries.tidy()
    expect(fake.calls()).toEqual([])
    expect(existsSync(dirname(place))).toBe(false)
  })
})
