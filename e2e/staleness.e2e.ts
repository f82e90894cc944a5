import { appendFileSync, chmodSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProfileStatus } from '../shared/domain/profile.ts'
import { createWorld, type World } from './harness.ts'

const image = (name: string) => `localhost/paddock:${name}`
const lower = 'e2e-lower'
const upper = 'e2e-upper'

let world: World
let lowerFolder: string
let upperFolder: string

beforeAll(async () => {
  world = createWorld('staleness')
  lowerFolder = world.profile(lower, {
    Containerfile: 'ARG BASE_IMAGE=docker.io/library/debian:trixie-slim\nFROM ${BASE_IMAGE}\nCOPY copied /copied\nRUN echo lower\n',
    copied: 'one\n',
    notes: 'not copied\n',
  })
  upperFolder = world.profile(upper, `FROM ${image(lower)}\nRUN cat /copied > /upper\nLABEL run="podman run --rm IMAGE"\n`)
})
afterAll(() => world.dispose())

async function status(name: string): Promise<Pick<ProfileStatus, 'state' | 'reasons'>> {
  const { stdout, stderr } = await world.paddock(['profiles', '--json'])
  const found = (JSON.parse(stdout) as ProfileStatus[]).find((profile) => profile.name === name)
  if (!found) throw new Error(`profile ${name} is not listed: ${stderr}`)
  expect(found.error).toBeNull()
  return { state: found.state, reasons: found.reasons }
}
const fresh = { state: 'fresh', reasons: [] }

async function build(name: string, command = 'build', ...more: string[]): Promise<string> {
  const { code, stderr } = await world.paddock([command, name, ...more])
  expect(code, stderr).toBe(0)
  return stderr
}
const inspect = async (name: string, what: string) => (await world.podman(['image', 'inspect', '--format', `{{${what}}}`, image(name)])).stdout.trim()
const idOf = (name: string) => inspect(name, '.Id')

describe.sequential('a profile and the profile under it', () => {
  test('are missing at first, and are built base first', async () => {
    expect(await status(lower)).toEqual({ state: 'missing', reasons: ['The image has not been built.'] })
    const told = await build(upper)
    expect(told).toContain(`Built ${lower}, ${upper}.`)
    expect(await status(lower)).toEqual(fresh)
    expect(await status(upper)).toEqual(fresh)
    expect(await build(upper)).toContain('is fresh; nothing was built')
  })

  test('an edited Containerfile makes its image stale, and says so', async () => {
    appendFileSync(join(upperFolder, 'Containerfile'), '# a comment\n')
    expect(await status(upper)).toEqual({ state: 'stale', reasons: ['Containerfile was changed.'] })
    expect(await status(lower)).toEqual(fresh)
  })

  test('a rebuild that finds every layer cached is fresh, though its image keeps its old date', async () => {
    const created = await inspect(upper, '.Created')
    expect(await build(upper)).toContain(`Built ${upper}.`)
    expect(await status(upper)).toEqual(fresh)
    // What staleness by date would trip over: the layers are as old as they were.
    const history = await inspect(upper, 'range .History}}{{.Created}} {{end')
    expect(history).toContain(created.slice(0, 16))
    expect(await build(upper)).toContain('nothing was built')
  })

  test('an edited copied file makes both stale, the upper one because of the lower', async () => {
    writeFileSync(join(lowerFolder, 'copied'), 'two\n')
    expect(await status(lower)).toEqual({ state: 'stale', reasons: ['copied was changed.'] })
    const { state, reasons } = await status(upper)
    expect(state).toBe('stale')
    expect(reasons.join()).toMatch(new RegExp(`${lower}.*stale.*copied was changed`))
  })

  test('an edit whose time is set back is seen all the same', async () => {
    await build(upper)
    const file = join(lowerFolder, 'copied')
    const { atime, mtime, size } = statSync(file)
    writeFileSync(file, 'TWO\n')
    utimesSync(file, atime, mtime)
    expect(statSync(file)).toMatchObject({ size, mtime })
    expect(await status(lower)).toEqual({ state: 'stale', reasons: ['copied was changed.'] })
    writeFileSync(file, 'two\n')
    expect(await status(lower)).toEqual(fresh)
  })

  test('a later time without an edit, and a file that is not copied, make nothing stale', async () => {
    const later = new Date(Date.now() + 3_600_000)
    utimesSync(join(lowerFolder, 'copied'), later, later)
    utimesSync(join(lowerFolder, 'Containerfile'), later, later)
    writeFileSync(join(lowerFolder, 'notes'), 'edited\n')
    writeFileSync(join(lowerFolder, 'more-notes'), 'added\n')
    expect(await status(lower)).toEqual(fresh)
    expect(await status(upper)).toEqual(fresh)
  })

  test('the execute bit of a copied file counts', async () => {
    chmodSync(join(lowerFolder, 'copied'), 0o755)
    expect((await status(lower)).state).toBe('stale')
    chmodSync(join(lowerFolder, 'copied'), 0o644)
    expect(await status(lower)).toEqual(fresh)
  })

  test('a base rebuilt by other hands makes the one above stale', async () => {
    const before = await idOf(lower)
    await build(lower, 'rebuild')
    expect(await idOf(lower)).not.toBe(before)
    expect(await status(lower)).toEqual(fresh)
    const { state, reasons } = await status(upper)
    expect(state).toBe('stale')
    expect(reasons).toEqual([`Its base image ${image(lower)} is another one now.`])
    expect(await build(upper)).toContain(`Built ${upper}.`)
    expect(await status(upper)).toEqual(fresh)
  })

  test('rebuild of the upper one builds the lower anew, once', async () => {
    const [lowerBefore, upperBefore] = [await idOf(lower), await idOf(upper)]
    const told = await build(upper, 'rebuild')
    expect(told).toContain(`Built ${lower}, ${upper}.`)
    expect(told.match(new RegExp(`Building ${image(lower)}`, 'g'))).toHaveLength(1)
    expect(await idOf(lower)).not.toBe(lowerBefore)
    expect(await idOf(upper)).not.toBe(upperBefore)
  })

  test('an image that plain Podman deleted is missing, and the next run builds it', async () => {
    await world.podman(['rmi', '--force', image(upper)])
    expect(await status(upper)).toEqual({ state: 'missing', reasons: ['The image has not been built.'] })
    const { code, stderr } = await world.paddock(['run', upper, '--project', world.project(), '--', 'cat', '/upper'])
    expect(code, stderr).toBe(0)
    expect(await status(upper)).toEqual(fresh)
  })

  test('a run builds what is stale first, and what runs is the new image', async () => {
    writeFileSync(join(lowerFolder, 'copied'), 'three\n')
    const { stdout } = await world.paddock(['run', upper, '--project', world.project(), '--', 'cat', '/upper'])
    expect(stdout).toBe('three\n')
  })

  test('a build that fails names its step, and the old image stays', async () => {
    const before = await idOf(upper)
    const good = `FROM ${image(lower)}\nRUN cat /copied > /upper\nLABEL run="podman run --rm IMAGE"\n`
    writeFileSync(join(upperFolder, 'Containerfile'), good.replace('LABEL', 'RUN echo about to fail && exit 9\nLABEL'))
    const { code, stdout, stderr } = await world.paddock(['build', upper])
    expect([code, stdout]).toEqual([125, ''])
    expect(stderr).toMatch(/failed at step 3\/\d+: RUN echo about to fail && exit 9/)
    expect(stderr).toMatch(/^ *about to fail$/m)
    expect(await idOf(upper)).toBe(before)
    const run = await world.paddock(['run', upper, '--project', world.project(), '--', 'cat', '/upper'])
    expect([run.code, run.stdout]).toEqual([125, ''])
    writeFileSync(join(upperFolder, 'Containerfile'), good)
    await build(upper)
  })

  test('--base-image chooses the base, and another choice later makes it stale', async () => {
    const other = 'localhost/e2e-base-image:one'
    const bare = world.profile('e2e-bare', 'ARG BASE_IMAGE=docker.io/library/debian:trixie-slim\nFROM ${BASE_IMAGE}\nRUN echo bare\n')
    expect(bare).toContain('e2e-bare')
    await world.podman(['tag', image(lower), other])
    try {
      await build('e2e-bare', 'build', '--base-image', other)
      expect((await world.podman(['image', 'inspect', '--format', '{{.Parent}}', image('e2e-bare')])).code).toBe(0)
      const { stdout } = await world.podman(['run', '--rm', image('e2e-bare'), 'cat', '/copied'])
      expect(stdout).toBe('three\n')
      expect((await status('e2e-bare')).state).toBe('stale')
      expect((await status('e2e-bare')).reasons.join()).toMatch(/BASE_IMAGE|base image/)
      const chosen = await world.paddock(['profiles', '--json'], { env: { PADDOCK_BASE_IMAGE: other } })
      expect((JSON.parse(chosen.stdout) as ProfileStatus[]).find(({ name }) => name === 'e2e-bare')?.state).toBe('fresh')
    } finally {
      await world.podman(['untag', image(lower), other])
    }
  })

  test('a base image that is nowhere is named, with what to do', async () => {
    const { code, stderr } = await world.paddock(['build', 'e2e-bare', '--base-image', 'localhost/e2e-nowhere:none'])
    expect(code).toBe(125)
    expect(stderr).toContain('localhost/e2e-nowhere:none is not on this machine and cannot be pulled')
    expect(stderr).toContain('--base-image')
  })
})
