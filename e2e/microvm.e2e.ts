import { closeSync, existsSync, openSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { LaunchPlan } from '../shared/contract/contract.ts'
import { prepareLaunch } from '../electron/core/sandboxes/prepare-launch.ts'
import { runLaunch } from '../electron/core/sandboxes/run-launch.ts'
import { findPaths } from '../electron/core/store/paths.ts'
import { ableHost, createLauncher } from './fixtures/core.ts'
import { splitOwn, withoutIdentity } from './fixtures/oci-config.ts'
import { installRecordingRuntime, type OciConfig, type RecordingRuntime } from './fixtures/recording-runtime.ts'
import { createWorld, exec, minimalLabel, onMinimal, podmanPath, until, type World } from './harness.ts'
import { openTerminal } from './terminal.ts'

let world: World
let runtime: RecordingRuntime
let project: string

beforeAll(async () => {
  world = createWorld('microvm')
  runtime = await installRecordingRuntime(world, '+LIBKRUN')
  project = world.project()
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
  runtime.taken()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await world.dispose()
})

const silent = { signal: new AbortController().signal, onProgress: () => {} }
const input = { profile: 'minimal', cwd: '/', tty: true, command: [], acceptFindings: false, isolation: 'microvm' as const }
const prepare = (change: object = {}): Promise<LaunchPlan> => prepareLaunch(createLauncher(world, ableHost), { ...input, project, ...change }, silent)

/** Runs a command in a terminal until its shell has started and ended; what krun was handed is returned. */
async function handedOver(argv: readonly string[], cwd = project): Promise<OciConfig> {
  const terminal = openTerminal(argv as [string, ...string[]], world.env, cwd)
  terminal.type('exit\r')
  const code = await terminal.ended()
  const taken = runtime.taken()
  expect(taken, `exit ${code}: ${terminal.text}`).toHaveLength(1)
  return taken[0]!
}

describe('what the runtime named krun is handed', () => {
  let byPaddock: OciConfig
  let byRunlabel: OciConfig

  beforeAll(async () => {
    byPaddock = await handedOver((await prepare()).command)
    byRunlabel = await handedOver([podmanPath, 'container', 'runlabel', 'run', 'paddock:minimal'])
  })

  test('is what the label says', () => {
    expect(byPaddock.annotations).toMatchObject({ 'krun.use_passt': '1', 'krun.ram_mib': '2048', 'krun.cpus': '2' })
    expect(byPaddock.root.readonly).toBe(true)
    const { user, cwd, args, noNewPrivileges, capabilities, terminal } = byPaddock.process
    expect({ uid: user.uid, gid: user.gid, cwd, noNewPrivileges, terminal }).toEqual({ uid: 1000, gid: 1000, cwd: '/home/ai/sandbox', noNewPrivileges: true, terminal: true })
    expect(args).toEqual(['/usr/local/bin/paddock-entrypoint', '/bin/bash', '--login'])
    expect(Object.values(capabilities ?? {}).flat()).toEqual([])
    expect(byPaddock.linux.seccomp).toBeDefined()
    const mount = (destination: string) => byPaddock.mounts.find((candidate) => candidate.destination === destination)
    expect(mount('/home/ai')).toMatchObject({ type: 'bind', source: join(homedir(), '.local/share/paddock/homes/default') })
    expect(mount('/home/ai/sandbox')).toMatchObject({ type: 'bind', source: project })
    expect(mount('/tmp')).toMatchObject({ type: 'tmpfs', options: expect.arrayContaining(['noexec', 'nosuid', 'nodev', 'size=512m']) })
  })

  test('is the same from `podman container runlabel`, but for Paddock’s own id file, boot-id mount, read-only key mount and the hook of its network rules', () => {
    const { own, rest } = splitOwn(withoutIdentity(byPaddock))
    expect(rest).toEqual(withoutIdentity(byRunlabel))
    const launch = expect.stringMatching(new RegExp(`^${world.launchesFolder}/[0-9a-f-]{36}/`))
    const keys = expect.stringMatching(new RegExp(`^${findPaths().runtimeKeysFolder}/[0-9a-f-]{36}/channel$`))
    expect(own).toEqual({
      cidFile: launch,
      hooks: {
        createContainer: [{
          path: '/bin/sh',
          args: ['sh', '-c', expect.stringContaining('readlink /proc/self/ns/net'), 'paddock-egress', expect.stringMatching(/^\/.*\/nft$/), launch, launch, expect.stringMatching(/^net:\[\d+\]$/)],
          env: ['PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL=C'],
          timeout: 10,
        }],
      },
      mounts: [
        { destination: '/run/paddock/boot-id', type: 'bind', source: launch, options: ['rw', 'rprivate', 'rbind'] },
        { destination: '/run/paddock/channel', type: 'bind', source: keys, options: ['ro', 'rprivate', 'rbind'] },
      ],
    })
  })

  test('differs, and is seen to, when one word of the label does', async () => {
    world.profile('e2e-other-label', onMinimal((label) => label.replace('size=512m', 'size=513m').replace('krun.cpus=2', 'krun.cpus=1')))
    const other = await handedOver((await prepare({ profile: 'e2e-other-label' })).command)
    const { rest } = splitOwn(withoutIdentity(other))
    expect(rest).not.toEqual(withoutIdentity(byRunlabel))
    const undone = JSON.stringify(rest).replace('size=513m', 'size=512m').replace('"krun.cpus":"1"', '"krun.cpus":"2"')
    expect(JSON.parse(undone)).toEqual(withoutIdentity(byRunlabel))
  })

  test('takes TSI instead of a passt that this krun cannot start, and nothing else changes', async () => {
    const launcher = createLauncher(world, { ...ableHost, krunVersion: 'crun version 1.27\n+LIBKRUN', passtVersion: 'passt 2026_10_01' })
    const plan = await prepareLaunch(launcher, { ...input, project }, silent)
    expect(plan.notes.join()).toContain('krun.use_passt=0')
    const config = withoutIdentity(await handedOver(plan.command))
    expect(config.annotations['krun.use_passt']).toBe('0')
    config.annotations['krun.use_passt'] = '1'
    expect(splitOwn(config).rest).toEqual(withoutIdentity(byRunlabel))
  })
})

describe('a krun that starts a plain container', () => {
  const hasKvm = canOpen('/dev/kvm')

  test('is caught by its boot id: the sandbox is stopped and the launch fails', async () => {
    const plan = await prepare({ tty: false, command: ['sh', '-c', 'echo started; sleep 60; touch survived'] })
    const started = Date.now()
    await expect(runLaunch(createLauncher(world, ableHost).workshop.podman, world.launchesFolder, plan, false)).rejects.toMatchObject({
      report: { code: 'isolation-broken', message: expect.stringContaining('host’s own kernel') },
    })
    expect(Date.now() - started).toBeLessThan(30_000)
    expect(await world.ls()).toEqual([])
    expect(existsSync(join(project, 'survived'))).toBe(false)
    expect(readdirSync(world.launchesFolder)).not.toContain(plan.launchId)
  })

  test('`paddock run --isolation microvm` says so and exits with 125', async () => {
    const { code, stdout, stderr } = await world.paddock(['run', 'minimal', '--isolation', 'microvm', '--project', project, '--', 'sleep', '60'])
    expect([code, stdout]).toEqual([125, ''])
    // Which of the two this host shows depends on it; a sandbox on the host's kernel is neither.
    expect(stderr).toMatch(hasKvm ? /was to be a microVM, but it runs on the host’s own kernel/ : /this host cannot run one: .*\/dev\/kvm/)
    expect(await world.ls()).toEqual([])
  })

  test('is never listed as a microVM', async () => {
    const terminal = openTerminal([podmanPath, 'container', 'runlabel', 'run', 'paddock:minimal'], world.env, project)
    const sandbox = await until('the sandbox', async () => (await world.ls()).find(({ state }) => state === 'running'))
    expect(sandbox).toMatchObject({ profile: 'minimal', project, isolation: 'container', caps: { ramMib: 2048, cpus: 2, tmpSize: '512m', pids: 512 } })
    const inspected = await world.podman(['container', 'inspect', '--format', '{{.OCIRuntime}}', sandbox.id])
    expect(inspected.stdout.trim()).toBe('krun')
    terminal.type('exit\r')
    expect(await terminal.ended()).toBe(0)
  })

  test('nor is a container that lies about its boot id', async () => {
    const lie = 'echo 01234567-89ab-cdef-0123-456789abcdef > /run/paddock/boot-id; echo lied; read -r _'
    const terminal = world.terminal(['run', 'minimal', '--isolation', 'container', '--project', project, '--', 'sh', '-c', lie])
    await terminal.expect(/lied/)
    expect(await world.ls()).toMatchObject([{ isolation: 'container' }])
    terminal.type('\r')
    expect(await terminal.ended()).toBe(0)
  })
})

describe('a host without microVMs', () => {
  test('a krun without libkrun is refused before anything is launched', async () => {
    const weak = createWorld('weak-krun')
    try {
      const recorder = await installRecordingRuntime(weak, '-LIBKRUN')
      const { code, stderr } = await weak.paddock(['run', 'minimal', '--project', weak.project(), '--', 'true'], { env: { PADDOCK_ISOLATION: undefined } })
      expect(code).toBe(125)
      expect(stderr).toContain('built without libkrun')
      expect(stderr).toContain('--isolation container')
      expect(recorder.taken()).toHaveLength(0)
      expect(existsSync(weak.launchesFolder) ? readdirSync(weak.launchesFolder) : []).toEqual([])
    } finally {
      await weak.dispose()
    }
  })

  test('container isolation is the person’s word: once asked for, it launches and says what it is', async () => {
    runtime.taken()
    const { code, stderr } = await world.paddock(['run', 'minimal', '--isolation', 'container', '--project', project, '--', 'true'], { env: { PADDOCK_ISOLATION: undefined } })
    expect(code, stderr).toBe(0)
    expect(stderr).toContain('shares the host’s kernel')
    expect(runtime.taken()).toHaveLength(0)
  })

  test('a person at a terminal is asked, and only an answer launches', async () => {
    const bare = createWorld('ask')
    try {
      await installRecordingRuntime(bare, '-LIBKRUN')
      const folder = bare.project()
      const run = () => bare.terminal(['run', 'minimal', '--project', folder, '--', 'echo', 'it', 'runs'], { PADDOCK_ISOLATION: undefined })
      const no = run()
      await no.expect(/\[N\]o:/)
      no.type('\r')
      expect(await no.ended()).toBe(125)
      expect(no.text).not.toContain('it runs')
      const always = run()
      await always.expect(/\[N\]o:/)
      always.type('a\r')
      await always.expect(/it runs/)
      expect(await always.ended()).toBe(0)
      const remembered = run()
      await remembered.expect(/it runs/)
      expect(remembered.text).not.toContain('[N]o:')
      expect(await remembered.ended()).toBe(0)
    } finally {
      await bare.dispose()
    }
  })
})

test('a label read by the tests is the label in the image', async () => {
  const { stdout } = await exec([podmanPath, 'image', 'inspect', '--format', '{{index .Labels "run"}}', 'localhost/paddock:minimal'])
  expect(stdout.trim()).toBe(minimalLabel())
})

function canOpen(path: string): boolean {
  try {
    closeSync(openSync(path, 'r+'))
    return true
  } catch {
    return false
  }
}
