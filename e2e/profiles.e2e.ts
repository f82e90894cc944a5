import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProfileStatus } from '../shared/domain/profile.ts'
import { installRecordingRuntime } from './fixtures/recording-runtime.ts'
import { createWorld, onMinimal, type World } from './harness.ts'

/** No id mapping: its image needs no second copy of its layers. */
const quick = (label: string) => label.replace('--userns keep-id:uid=1000,gid=1000 ', '')
const noPodman = { PADDOCK_PODMAN: '/nonexistent/podman' }
let world: World

beforeAll(async () => {
  const builder = createWorld('builder')
  const { code, stderr } = await builder.paddock(['build', 'minimal'])
  await builder.dispose()
  expect(code, stderr).toBe(0)
  // These tests make images under the names of bundled profiles, which must not replace the account's own.
  world = createWorld('profiles', { ownStore: true })
})
afterAll(() => world.dispose())

async function profiles(): Promise<ProfileStatus[]> {
  const { code, stdout, stderr } = await world.paddock(['profiles'])
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as ProfileStatus[]
}
const profile = async (name: string) => (await profiles()).find((candidate) => candidate.name === name)
const remove = (name: string) => rmSync(join(world.profilesFolder, name), { recursive: true })

describe('profiles that come with Paddock', () => {
  test('are listed with image, caps and findings', async () => {
    const listed = await profiles()
    expect(listed.map(({ name, image, source, runnable, error }) => ({ name, image, source, runnable, error }))).toEqual([
      { name: 'default', image: 'localhost/paddock:latest', source: 'bundled', runnable: true, error: null },
      { name: 'desktop', image: 'localhost/paddock:desktop', source: 'bundled', runnable: true, error: null },
      { name: 'egress', image: 'localhost/paddock:egress', source: 'bundled', runnable: false, error: null },
      { name: 'minimal', image: 'localhost/paddock:minimal', source: 'bundled', runnable: true, error: null },
      { name: 'base', image: 'localhost/paddock-base:latest', source: 'bundled', runnable: false, error: null },
    ])
    expect(listed[0]).toMatchObject({ caps: { ramMib: 8192, cpus: 4, tmpSize: '2048m', pids: 1024 }, findings: [] })
    expect(listed.find(({ name }) => name === 'minimal')).toMatchObject({ state: 'fresh', reasons: [], caps: { ramMib: 2048, cpus: 2, tmpSize: '512m', pids: 512 }, findings: [] })
  })

  test.each([
    ['a profile that there is none of', 'nothing-of-the-kind', /no profile "nothing-of-the-kind"[^]*default, desktop, egress, minimal, base/],
    ['a path instead of a name', '../minimal', /no profile "..\/minimal"/],
    ['latest, where no such folder takes over', 'latest', /no profile "latest"/],
    ['base', 'base', /"base" cannot be run/],
  ])('%s is refused before Podman is asked', async (_name, name, why) => {
    const { code, stdout, stderr } = await world.paddock(['run', name, '--project', world.project()], { env: noPodman })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(why)
    expect(stderr).not.toContain('/nonexistent')
  })
})

describe('a person’s own profiles', () => {
  test('win over a bundled one of the same name, and are marked', async () => {
    world.profile('minimal', 'ARG BASE_IMAGE=docker.io/library/debian:trixie-slim\nFROM ${BASE_IMAGE}\nRUN echo mine > /mine\nLABEL run="podman run --rm --network none IMAGE"\n')
    expect(await profile('minimal')).toMatchObject({ source: 'user', state: 'stale' })
    const shown = world.terminal(['profiles'])
    await shown.ended()
    expect(shown.text).toMatch(/minimal \(yours\)/)
    const { code, stdout, stderr } = await world.paddock(['run', 'minimal', '--project', world.project(), '--', 'cat', '/mine'])
    expect(code, stderr).toBe(0)
    expect(stdout).toBe('mine\n')
    remove('minimal')
    await world.podman(['rmi', '--force', 'localhost/paddock:minimal'])
    expect(await profile('minimal')).toMatchObject({ source: 'bundled', state: 'fresh' })
  })

  test('a folder latest takes every spelling of the default profile, and builds paddock:latest', async () => {
    world.profile('latest', onMinimal(quick, ['RUN echo taken over > /mark']))
    expect(await profile('default')).toMatchObject({ image: 'localhost/paddock:latest', source: 'user', caps: { ramMib: 2048 } })
    expect(await profile('latest')).toBeUndefined()
    for (const spelling of [[], ['default'], ['latest']]) {
      const { code, stdout, stderr } = await world.paddock(['run', ...spelling, '--project', world.project(), '--', 'cat', '/mark'])
      expect(code, stderr).toBe(0)
      expect(stdout).toBe('taken over\n')
    }
    expect((await world.podman(['run', '--rm', '--entrypoint', 'cat', 'localhost/paddock:latest', '/mark'])).stdout).toBe('taken over\n')
    remove('latest')
    expect(await profile('default')).toMatchObject({ source: 'bundled', caps: { ramMib: 8192 } })
  })

  test.each<[string, Record<string, string>, RegExp]>([
    ['does not parse', { Containerfile: 'FROM localhost/paddock:minimal\nRUNN echo\n' }, /line 2: RUNN is not an instruction/],
    ['has no Containerfile', { Dockerfile: 'FROM scratch\n' }, /Containerfile is missing/],
    ['is built from itself', { Containerfile: 'FROM localhost/paddock:e2e-broken\n' }, /built from itself/],
    ['is built from a profile that does not exist', { Containerfile: 'FROM localhost/paddock:e2e-absent\n' }, /"e2e-absent", which does not exist/],
    ['has a label with an open quote', { Containerfile: onMinimal(() => "podman run 'IMAGE") }, /quote is not closed/],
  ])('one that %s is listed with its error and cannot be run; the others can', async (_name, files, why) => {
    world.profile('e2e-broken', files)
    expect((await profile('e2e-broken'))?.error).toMatch(why)
    expect(await profile('minimal')).toMatchObject({ error: null, state: 'fresh' })
    const { code, stdout, stderr } = await world.paddock(['run', 'e2e-broken', '--project', world.project(), '--', 'true'])
    expect([code, stdout]).toEqual([125, ''])
    expect(stderr).toMatch(why)
    remove('e2e-broken')
  })

  test('a label that is not podman run never runs on the host', async () => {
    const trap = join(world.folder, 'trap')
    for (const label of [`touch ${trap}`, `podman system renumber && touch ${trap}`, `sh -c 'touch ${trap}; podman run IMAGE'`]) {
      world.profile('e2e-trap', onMinimal(() => label))
      const status = await profile('e2e-trap')
      expect(status).toMatchObject({ runnable: false })
      expect(status?.error).toMatch(/not with "podman run"/)
    }
    const { code, stderr } = await world.paddock(['run', 'e2e-trap', '--project', world.project(), '--accept-findings'])
    expect(code).toBe(125)
    expect(stderr).toMatch(/not with "podman run"/)
    expect(existsSync(trap)).toBe(false)
  })

  test('shell syntax in a label is words for Podman and nothing else', async () => {
    const trap = join(world.folder, 'trap')
    world.profile('e2e-shell', onMinimal((label) => `${quick(label)} sh -c : ; touch ${trap} $(touch ${trap}) && touch ${trap}`))
    await world.paddock(['run', 'e2e-shell', '--project', world.project()])
    expect(existsSync(trap)).toBe(false)
  })
})

describe('a label that asks for more power than a sandbox should have', () => {
  beforeAll(() => {
    world.profile('e2e-power', onMinimal((label) => quick(label).replace('--cap-drop ALL', '--privileged').replace('--user ai', '--user ai --volume $HOME:/everything:ro')))
  })

  test('is listed with its findings', async () => {
    const found = await profile('e2e-power')
    expect(found).toMatchObject({ runnable: true, error: null })
    expect(found!.findings.filter(({ level }) => level === 'high').map(({ rule }) => rule).toSorted()).toEqual(['mount', 'privileged'])
    expect(found!.findings.find(({ rule }) => rule === 'cap-drop')).toMatchObject({ level: 'medium' })
  })

  test('is launched only by an explicit yes', async () => {
    const launch = (...more: string[]) => world.paddock(['run', 'e2e-power', '--project', world.project(), ...more, '--', 'grep', '-c', 'everything', '/proc/mounts'])
    const refused = await launch()
    expect([refused.code, refused.stdout]).toEqual([125, ''])
    expect(refused.stderr).toMatch(/--privileged switches off[^]*your whole home folder[^]*--accept-findings/)
    const accepted = await launch('--accept-findings')
    expect(accepted.code, accepted.stderr).toBe(0)
    expect(Number(accepted.stdout)).toBeGreaterThan(0)
  })

  test('a person at a terminal is asked; Enter is no', async () => {
    const asked = () => world.terminal(['run', 'e2e-power', '--project', world.project(), '--', 'echo', 'it', 'runs'])
    const no = asked()
    await no.expect(/--privileged switches off[^]*\[y\/N\]/)
    no.type('\r')
    expect(await no.ended()).toBe(125)
    expect(no.text).not.toContain('it runs')
    const yes = asked()
    await yes.expect(/\[y\/N\]/)
    yes.type('y\r')
    await yes.expect(/it runs/)
    expect(await yes.ended()).toBe(0)
  })
})

describe('settings', () => {
  const write = (text: string) => {
    mkdirSync(join(world.settingsFile, '..'), { recursive: true })
    writeFileSync(world.settingsFile, text)
  }
  const run = (env: Record<string, string | undefined> = {}, ...flags: string[]) =>
    world.paddock(['run', 'minimal', '--project', world.project(), ...flags, '--', 'true'], { env: { PADDOCK_ISOLATION: undefined, ...env } })
  const shared = 'shares the host’s kernel'

  test('an unknown key and a bad value are named with the file, and nothing is launched', async () => {
    write('{"isolaton": "container"}')
    const unknown = await run(noPodman)
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toMatch(/settings\.json: "isolaton" is not a setting[^]*isolation, baseImage/)
    write('{"isolation": "none"}')
    const bad = await run(noPodman)
    expect(bad.code).toBe(2)
    expect(bad.stderr).toMatch(/settings\.json: "isolation" must be one of: microvm, container/)
    rmSync(world.settingsFile)
  })

  test('a bad variable is named, and a bad flag is a wrong use', async () => {
    const variable = await run({ ...noPodman, PADDOCK_ISOLATION: 'none' })
    expect([variable.code, variable.stdout]).toEqual([2, ''])
    expect(variable.stderr).toMatch(/PADDOCK_ISOLATION must be one of: microvm, container/)
    const flag = await run(noPodman, '--isolation', 'none')
    expect([flag.code, flag.stdout]).toEqual([2, ''])
    expect(flag.stderr).toContain('--isolation')
  })

  test('a damaged file is set aside and named, and the defaults apply', async () => {
    write('{"isolation": "contai')
    const { code, stderr } = await run({}, '--isolation', 'container')
    expect(code, stderr).toBe(0)
    const aside = /set aside as (\S+),/.exec(stderr)?.[1]
    expect(aside).toMatch(/settings\.json\.damaged-/)
    expect(existsSync(aside!)).toBe(true)
    expect(existsSync(world.settingsFile)).toBe(false)
  })

  test('file, then variable, then flag: the later wins', async () => {
    write('{"isolation": "container"}')
    expect(await run()).toMatchObject({ code: 0, stderr: expect.stringContaining(shared) })
    // The krun here is refused: which shows that a microVM was asked for.
    await installRecordingRuntime(world, '-LIBKRUN')
    expect(await run({ PADDOCK_ISOLATION: 'microvm' })).toMatchObject({ code: 125, stderr: expect.stringContaining('in a microVM') })
    expect(await run({ PADDOCK_ISOLATION: 'microvm' }, '--isolation', 'container')).toMatchObject({ code: 0, stderr: expect.stringContaining(shared) })
    rmSync(world.settingsFile)
  })
})
