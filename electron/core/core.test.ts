import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakePodman, type FakePodman, type Rule } from '../../e2e/fixtures/fake-podman/fake-podman.ts'
import type { CallContext, Input, Progress } from '../../shared/contract/contract.ts'
import { createCore } from './core.ts'
import { proxyPlace } from './egress/proxy/proxy-place.ts'
import { startTicksOf } from './process/start-ticks.ts'

const label = 'podman run -it --runtime krun --annotation krun.ram_mib=64 --user ai --volume $HOME/.local/share/paddock/homes/default:/home/ai:z --volume $PWD:/home/ai/sandbox:z IMAGE'
let root: string
let fake: FakePodman
let progress: Progress[]
let context: CallContext
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'core-test-')))
  vi.stubEnv('HOME', join(root, 'home'))
  for (const folder of ['home', 'project']) mkdirSync(join(root, folder))
  fake = createFakePodman()
  writeFileSync(join(fake.folder, 'nft'), '#!/bin/sh\n', { mode: 0o755 })
  progress = []
  context = { signal: new AbortController().signal, onProgress: (one) => progress.push(one) }
})
afterEach(() => {
  vi.unstubAllEnvs()
  fake.remove()
  rmSync(root, { recursive: true, force: true })
})

function profile(name: string, containerfile: string, place = 'config/paddock/profiles') {
  mkdirSync(join(root, place, name), { recursive: true })
  writeFileSync(join(root, place, name, 'Containerfile'), containerfile)
}
const image = (name: string, run?: string) => ({ Id: name.padEnd(64, '0'), Created: '2999-01-01T00:00:00Z', RepoTags: [`localhost/paddock:${name}`], Labels: run ? { run } : null })
/** The storage holds these images and no other. */
const stored = (images: object[], rule: Partial<Rule> = {}): Rule => ({ on: '^image inspect', stdout: JSON.stringify(images), stderr: 'Error: x: image not known\n', exit: 125, ...rule })
const info: Rule = { on: '^info', stdout: { recording: 'info.json' } }
const noKrun: Rule = { on: '^--runtime krun info', stderr: { recording: 'runtime-missing.stderr' }, exit: 125 }
const build: Rule = { on: '^build ', writesOption: { '--iidfile': 'sha256:new' } }

function core(environment: Record<string, string> = {}) {
  const xdg = { XDG_CONFIG_HOME: join(root, 'config'), XDG_STATE_HOME: join(root, 'state'), XDG_CACHE_HOME: join(root, 'cache') }
  return createCore({ bundledProfiles: join(root, 'bundled'), environment: { ...xdg, PADDOCK_PODMAN: fake.path, ...environment } })
}
const prepare = (changed: Partial<Input<'sandbox.prepare'>> = {}, environment = {}) =>
  core(environment).handlers['sandbox.prepare']({ profile: 'mine', cwd: join(root, 'project'), tty: true, command: [], acceptFindings: false, ...changed }, context)
const verbs = () => fake.calls().map(([verb]) => verb)
/** What a failed launch could leave behind. */
const launches = () => (existsSync(join(root, 'state/paddock/launches')) ? readdirSync(join(root, 'state/paddock/launches')) : [])

describe('sandbox.prepare', () => {
  beforeEach(() => {
    profile('mine', `FROM scratch\nLABEL run="${label.replaceAll('$', '\\$')}"\n`)
    fake.answer([info, noKrun, stored([image('mine', label)])])
  })

  it('writes the whole command for a container, and makes the folders it needs', async () => {
    const plan = await prepare({ isolation: 'container', command: ['ls', '-la'] })
    expect(plan).toMatchObject({ profile: 'mine', project: join(root, 'project'), isolation: 'container' })
    expect(plan.command.slice(0, 3)).toEqual([fake.path, `--hooks-dir=${join(root, 'state/paddock/launches', plan.launchId, 'hooks')}`, 'run'])
    expect(plan.command.slice(-3)).toEqual(['localhost/paddock:mine', 'ls', '-la'])
    expect(plan.command).toEqual(expect.arrayContaining([`--volume=${join(root, 'project')}:/home/ai/sandbox:z`, `--label=dev.paddock.launch=${plan.launchId}`, '--runtime=crun', '--tty']))
    expect(plan.weaknesses).toContain('Container isolation: the sandbox shares the host’s kernel.')
    expect(existsSync(join(root, 'home/.local/share/paddock/homes/default/sandbox'))).toBe(true)
    expect(launches()).toEqual([plan.launchId])
    expect(plan.findings.map(({ rule }) => rule)).toContain('cap-drop')
  })

  it('takes the settings’ isolation, and the flag over it', async () => {
    expect(await prepare({}, { PADDOCK_ISOLATION: 'container' })).toMatchObject({ isolation: 'container' })
    await expect(prepare({ isolation: 'microvm' }, { PADDOCK_ISOLATION: 'container' })).rejects.toMatchObject({ report: { code: 'isolation-unavailable' } })
  })

  it('is never silently weaker than the label: without krun it stops and says what to install', async () => {
    await expect(prepare()).rejects.toMatchObject({
      report: { code: 'isolation-unavailable', message: expect.stringContaining('krun is not installed'), hint: expect.stringContaining('--isolation container') },
    })
    expect(launches()).toEqual([])
  })

  describe('egress', () => {
    const labelled = (mode: string, network = 'none') => label.replace('--user', `--network ${network} --annotation dev.paddock.egress=${mode} --user`)
    const profileSays = (run: string) => fake.answer([info, stored([image('mine', run)])])
    const networks = ({ command }: { command: string[] }) => command.filter((word) => word.startsWith('--network'))
    const inRecord = (launchId: string, file: string) => readFileSync(join(root, 'state/paddock/launches', launchId, file), 'utf8')

    it('is open where the label says nothing, and its rules and hook lie in the launch’s record', async () => {
      const plan = await prepare({ isolation: 'container' })
      expect(plan).toMatchObject({ egress: 'open', weaknesses: expect.not.arrayContaining([expect.stringMatching(/network/)]) })
      expect(inRecord(plan.launchId, 'egress.nft')).toContain(`"paddock ${plan.launchId}"`)
      expect(JSON.parse(inRecord(plan.launchId, 'hooks/egress.json'))).toMatchObject({
        stages: ['createContainer'], when: { always: true },
        hook: { path: '/bin/sh', args: expect.arrayContaining([join(fake.folder, 'nft'), join(root, 'state/paddock/launches', plan.launchId, 'egress.nft'), join(root, 'state/paddock/launches', plan.launchId, 'egress-receipt')]) },
      })
    })

    it.each([['deny', 'deny'], ['some', 'deny']])('is what the label says, and there is no network then: %s', async (written, egress) => {
      profileSays(labelled(written, 'pasta'))
      const plan = await prepare({ isolation: 'container' })
      expect([plan.egress, networks(plan)]).toEqual([egress, ['--network=none']])
    })

    describe('with an allowlist', () => {
      const place = () => proxyPlace(join(root, 'state/paddock/egress'))
      /** As a proxy that was started leaves it; the process is this one. */
      const runProxy = () => {
        mkdirSync(place().policiesFolder, { recursive: true })
        writeFileSync(place().runningFile, JSON.stringify({ id: 'a', pid: process.pid, startTicks: startTicksOf(process.pid), ports: [20_001, 20_002] }))
      }
      const policies = () => readdirSync(place().policiesFolder)

      it('leads the sandbox to a port of its own at the proxy, which knows its rules, and programs to that', async () => {
        runProxy()
        profileSays(labelled('allowlist').replace('--user', '--annotation dev.paddock.egress-allow=@npm,example.org --user'))
        const [first, second] = [await prepare({ isolation: 'container' }), await prepare({ isolation: 'container' })]
        expect([first, second].map((plan) => [plan.proxyPort, networks(plan)])).toEqual([[20_001, ['--network=pasta:-T,3128:20001']], [20_002, ['--network=pasta:-T,3128:20002']]])
        expect(first.command).toEqual(expect.arrayContaining(['--http-proxy=false', '--env=HTTPS_PROXY=http://127.0.0.1:3128', '--env=https_proxy=http://127.0.0.1:3128']))
        expect(first.weaknesses.join()).not.toMatch(/network/)
        expect(inRecord(first.launchId, 'egress.nft')).not.toContain('internet')
        expect(readFileSync(join(place().policiesFolder, '20001'), 'utf8')).toMatch(new RegExp(`^launch ${first.launchId}\nrule host [^]*rule host example\\.org - - - example\\.org\nend\n$`))
        await expect(prepare({ isolation: 'container' })).rejects.toMatchObject({ report: { code: 'egress-unavailable', message: expect.stringContaining('All 2 places') } })
        expect(launches()).toHaveLength(2)
      })

      it('that cannot be held gives its port back', async () => {
        runProxy()
        profileSays(labelled('allowlist').replace('--user', '--pod other --user'))
        await expect(prepare({ isolation: 'container', acceptFindings: true })).rejects.toMatchObject({ report: { code: 'egress-unavailable' } })
        expect([policies(), launches()]).toEqual([[], []])
      })

      it('takes the port of a launch that was killed before it had a record', async () => {
        runProxy()
        for (const port of ['20001', '20002']) {
          writeFileSync(join(place().policiesFolder, port), 'launch 11111111-2222-4333-8444-555555555555\n')
          utimesSync(join(place().policiesFolder, port), 0, 0)
        }
        profileSays(labelled('allowlist'))
        expect(await prepare({ isolation: 'container' })).toMatchObject({ proxyPort: 20_001 })
      })
    })

    it('is stricter for who asks, and wider only for who says yes', async () => {
      profileSays(labelled('allowlist'))
      expect(await prepare({ isolation: 'container', egress: 'deny' })).toMatchObject({ egress: 'deny' })
      await expect(prepare({ isolation: 'container', egress: 'open' })).rejects.toMatchObject({ report: { code: 'findings-not-accepted', message: '--egress open lets out more than profile "mine", which says allowlist.', hint: expect.stringContaining('--accept-findings') } })
      const open = await prepare({ isolation: 'container', egress: 'open', acceptFindings: true })
      expect([open.egress, networks(open)]).toEqual(['open', ['--network=pasta']])
    })

    it('says so where the network is not the sandbox’s own, and holds no closed mode there', async () => {
      profileSays(label.replace('--user', '--network host --user'))
      const open = await prepare({ isolation: 'container', acceptFindings: true })
      expect(open).toMatchObject({ rules: null, command: expect.not.arrayContaining([expect.stringContaining('hooks-dir')]), weaknesses: expect.arrayContaining(['Its network is not held: --network host is not the sandbox’s own.']) })
      expect(networks(await prepare({ isolation: 'container', acceptFindings: true, egress: 'deny' }))).toEqual(['--network=none'])
      profileSays(label.replace('--user', '--pod other --user'))
      await expect(prepare({ isolation: 'container', acceptFindings: true, egress: 'deny' })).rejects.toMatchObject({ report: { code: 'egress-unavailable', message: expect.stringContaining('--pod shares') } })
    })
  })

  it.each<[what: string, changed: Partial<Input<'sandbox.prepare'>>, code: string]>([
    ['an unknown profile', { profile: 'nope' }, 'profile-unknown'],
    ['a project that does not exist', { project: 'nope' }, 'project-refused'],
    ['the root as the project', { project: '/' }, 'project-refused'],
  ])('refuses %s before Podman is asked', async (_what, changed, code) => {
    await expect(prepare({ isolation: 'container', ...changed })).rejects.toMatchObject({ report: { code } })
    expect(fake.calls()).toEqual([])
    expect(launches()).toEqual([])
  })

  it('demands an explicit yes to a high finding of the image’s own label, and leaves nothing behind without it', async () => {
    fake.answer([info, stored([image('mine', `${label.replace('IMAGE', '--privileged IMAGE')}`)])])
    const refused = prepare({ isolation: 'container' })
    await expect(refused).rejects.toMatchObject({ report: { code: 'findings-not-accepted', message: expect.stringContaining('--privileged'), hint: expect.stringContaining('--accept-findings') } })
    expect(launches()).toEqual([])
    expect((await prepare({ isolation: 'container', acceptFindings: true })).command).toContain('--privileged')
  })

  it.each([
    ['no label', undefined, 'profile-not-runnable'],
    ['a label that is no podman run', 'sh -c evil', 'label-invalid'],
  ])('refuses an image with %s', async (_what, run, code) => {
    profile('mine', 'FROM scratch\n')
    fake.answer([info, stored([image('mine', run)])])
    await expect(prepare({ isolation: 'container' })).rejects.toMatchObject({ report: { code } })
    expect(launches()).toEqual([])
  })

  it('takes a folder of Paddock’s own only where it was made to be thrown away', async () => {
    const folder = join(root, 'state/paddock/tries/x/try-mine')
    mkdirSync(folder, { recursive: true })
    const input = { profile: 'mine', project: folder, cwd: '/', tty: true, command: [], acceptFindings: false, isolation: 'container' as const }
    await expect(prepare(input)).rejects.toMatchObject({ report: { code: 'project-refused', message: expect.stringContaining('inside Paddock’s own folder') } })
    expect(await core().prepareTry(input, context)).toMatchObject({ project: folder })
    await expect(core().prepareTry({ ...input, project: join(root, 'home') }, context)).rejects.toMatchObject({ report: { code: 'project-refused' } })
  })

  it('leaves nothing behind when the build before it fails', async () => {
    fake.answer([info, stored([]), { on: '^build ', stdout: { recording: 'build-failed.txt' }, exit: 3 }])
    await expect(prepare({ isolation: 'container' })).rejects.toMatchObject({ report: { code: 'build-failed' } })
    expect(launches()).toEqual([])
    expect(existsSync(join(root, 'state/paddock/build.lock'))).toBe(false)
  })
})

describe('profile.build', () => {
  beforeEach(() => {
    profile('low', 'FROM scratch\n')
    profile('top', 'FROM localhost/paddock:low\n')
  })
  const run = (force = false) => core().handlers['profile.build']({ profile: 'top', force }, context)
  const builds = () => fake.calls().flatMap((args) => (args[0] === 'tag' ? [args[2]] : []))

  it('builds what is missing, the lowest image first', async () => {
    const low = { on: '^tag new localhost/paddock:low' }
    const top = { on: '^tag new localhost/paddock:top' }
    fake.answer([low, top, build, info, stored([image('low'), image('top')], { after: 1 }), stored([image('low')], { after: 0 }), stored([])])
    expect(await run()).toEqual({ profile: 'top', image: 'localhost/paddock:top', built: ['low', 'top'] })
    expect(builds()).toEqual(['localhost/paddock:low', 'localhost/paddock:top'])
  })

  it('builds nothing that is fresh, and everything once when forced', async () => {
    fake.answer([{ on: '^tag ' }, build, info, stored([image('low'), image('top')])])
    expect((await run()).built).toEqual([])
    expect(verbs()).not.toContain('build')
    expect((await run(true)).built).toEqual(['low', 'top'])
    expect(fake.calls().filter(([verb]) => verb === 'build').every((args) => args.includes('--no-cache'))).toBe(true)
  })

  it('gets the newest base image first when that is asked for, once, and builds on it', async () => {
    profile('low', 'ARG BASE_IMAGE=fedora:1\nFROM $BASE_IMAGE\n')
    fake.answer([{ on: '^tag ' }, build, { on: '^pull .* fedora:42$' }, info, stored([image('low'), image('top'), { Id: 'f'.repeat(64), Created: '2026-01-01T00:00:00Z', RepoTags: ['fedora:42'] }])])
    const { built } = await core({ PADDOCK_BASE_IMAGE: 'fedora:42' }).handlers['profile.build']({ profile: 'top', force: true, pull: true }, context)
    expect(built).toEqual(['low', 'top'])
    expect(verbs().filter((verb) => verb === 'pull' || verb === 'build')).toEqual(['pull', 'build', 'build'])
  })

  it('pulls nothing for a profile that stands on an image of its own', async () => {
    fake.answer([{ on: '^tag ' }, build, info, stored([image('low'), image('top')])])
    await core().handlers['profile.build']({ profile: 'top', force: true, pull: true }, context)
    expect(verbs()).not.toContain('pull')
  })

  it('rebuilds what stands on an image that is missing', async () => {
    fake.answer([{ on: '^tag new localhost/paddock:low' }, { on: '^tag ' }, build, info, stored([image('low'), image('top')], { after: 0 }), stored([image('top')])])
    await run()
    expect(builds()).toContain('localhost/paddock:low')
    expect(progress).toContainEqual({ kind: 'step', text: 'Building localhost/paddock:low from profile low' })
  })
})

describe('profile.list', () => {
  const list = () => core().handlers['profile.list']({}, context)

  it('shows each profile with its state, and a broken one with its error', async () => {
    profile('good', `FROM scratch\nLABEL run="podman run --annotation krun.cpus=3 IMAGE"\n`, 'bundled')
    profile('typo', 'FROM a\nCOPPY x /\n')
    profile('circle', 'FROM localhost/paddock:circle\n')
    profile('odd', 'FROM scratch\nLABEL run="docker run IMAGE"\n')
    mkdirSync(join(root, 'config/paddock/profiles/empty'))
    fake.answer([info, stored([image('good')])])
    const listed = Object.fromEntries((await list()).map((status) => [status.name, status]))
    expect(listed).toMatchObject({
      good: { source: 'bundled', state: 'fresh', runnable: true, caps: { cpus: 3 }, error: null },
      typo: { source: 'user', state: 'missing', runnable: false, error: 'Profile "typo" is broken: line 2: COPPY is not an instruction.' },
      circle: { error: expect.stringContaining('it is built from itself (circle → circle)') },
      odd: { runnable: false, error: expect.stringContaining('not with "podman run"') },
      empty: { error: expect.stringContaining('Containerfile is missing') },
    })
  })

  it('names the image under all profiles, how old it is, and the file of each', async () => {
    profile('low', 'FROM debian:trixie\n')
    profile('top', 'FROM localhost/paddock:low\n')
    fake.answer([info, stored([{ Id: 'd'.repeat(64), Created: '2026-11-01T00:00:00Z', RepoTags: ['debian:trixie'] }])])
    const base = { profile: 'low', image: 'debian:trixie', created: '2026-11-01T00:00:00Z' }
    expect(await list()).toMatchObject([{ name: 'low', base }, { name: 'top', base, file: join(root, 'config/paddock/profiles/top/Containerfile') }])
  })

  it('tells a missing Podman apart from a broken profile', async () => {
    profile('good', 'FROM scratch\n')
    const [status] = await core({ PADDOCK_PODMAN: '/no/such/podman' }).handlers['profile.list']({}, context)
    expect(status).toMatchObject({ name: 'good', error: expect.stringContaining('Podman cannot be started') })
  })
})

it('a damaged settings file is told as a warning, and the work goes on', async () => {
  mkdirSync(join(root, 'config/paddock'), { recursive: true })
  writeFileSync(join(root, 'config/paddock/settings.json'), '{')
  await core().handlers['profile.list']({}, context)
  expect(progress).toEqual([{ kind: 'warning', text: expect.stringContaining('set aside') }])
})
