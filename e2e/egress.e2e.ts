import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { LaunchPlan } from '../shared/contract/contract.ts'
import { egressRules, formatEgressRules } from '../shared/domain/egress-rules.ts'
import { launchRecord, removeLaunchRecord } from '../electron/core/sandboxes/launch-record.ts'
import { prepareLaunch } from '../electron/core/sandboxes/prepare-launch.ts'
import { runLaunch } from '../electron/core/sandboxes/run-launch.ts'
import { ableHost, createLauncher } from './fixtures/core.ts'
import { type Attempt, closed, outside, resolver } from './fixtures/internet/attempts.ts'
import { createInternet, type Internet } from './fixtures/internet/internet.ts'
import { createWorld, exec, onMinimal, podmanPath, root, until, type World } from './harness.ts'

let world: World
let internet: Internet
let project: string

const places = '--annotation dev.paddock.egress-allow=192.168.77.20:5432,[fd12:77::20]:5432 --annotation dev.paddock.egress-allow=10.9.0.0/16:443'
/** On crun and without a terminal, so that plain Podman starts it wherever krun is not. */
const plain = (label: string) => label.replace('--runtime krun', '--runtime crun').replace('--tty ', '').replace('--user ai', `${places} --user ai`)
const closedLabel = (mode: string) => (label: string) => plain(label).replace('--network pasta', `--network none --annotation dev.paddock.egress=${mode}`)

beforeAll(async () => {
  world = createWorld('egress')
  project = world.project()
  copyFileSync(fileURLToPath(new URL('fixtures/internet/attempts.pl', import.meta.url)), join(project, 'attempts.pl'))
  world.profile('e2e-open', onMinimal(plain))
  world.profile('e2e-deny', onMinimal(closedLabel('deny')))
  world.profile('e2e-raw', onMinimal((label) => plain(label).replace('--cap-drop ALL', '--cap-drop ALL --cap-add NET_RAW')))
  for (const profile of ['e2e-open', 'e2e-deny', 'e2e-raw']) {
    const { code, stderr } = await world.paddock(['build', profile])
    expect(code, stderr).toBe(0)
  }
  internet = await createInternet(world)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await internet?.dispose()
  await world.dispose()
})

const attempts = [...outside, ...resolver, ...closed]
const idOf = (attempt: Attempt) => `t${attempts.indexOf(attempt)}`
const lines = () => attempts.map((attempt) => `${idOf(attempt)} ${attempt.protocol} ${attempt.host} ${attempt.port}\n`).join('')
const paddock = [process.execPath, join(root, 'dist/paddock.cjs')]

/** What came of the attempts: by the program that made them, and by the servers. */
interface Outcome {
  stderr: string
  answered: string[]
  silent: string[]
  /** Attempts that a server saw; of those that share an address and port, all. */
  seen: string[]
}

async function tryAll(argv: readonly string[]): Promise<Outcome> {
  await internet.reached()
  const { code, stdout, stderr } = await exec(internet.on(argv) as [string, ...string[]], { env: world.env, cwd: project, input: lines() })
  expect([code, stdout.trim().split('\n').at(-1)], stderr).toEqual([0, 'done'])
  const said = (word: string) => attempts.filter((attempt) => stdout.includes(`${idOf(attempt)} ${word}\n`)).map(({ what }) => what)
  const reached = (await internet.reached()).map((line) => line.replace(/^\S+ /, ''))
  const isSeen = (attempt: Attempt) => reached.includes(attempt.protocol === 'udp' ? `udp ${idOf(attempt)}` : `tcp ${attempt.address ?? attempt.host} ${attempt.port}`)
  return { stderr, answered: said('answered'), silent: said('silence'), seen: attempts.filter(isSeen).map(({ what }) => what) }
}

const byPodman = (profile: string) => tryAll([podmanPath, 'container', 'runlabel', 'run', `paddock:${profile}`, 'perl', 'attempts.pl'])
const isTcp = ({ protocol }: Attempt) => protocol === 'tcp'
const names = (list: readonly Attempt[]) => list.map(({ what }) => what)
const inSandbox = (...flags: string[]) => tryAll([...paddock, 'run', ...flags, '--project', project, '--', 'perl', 'attempts.pl'])

test('there are attempts enough, and they can succeed: without rules most of them do', async () => {
  expect(attempts.length).toBeGreaterThan(60)
  const { answered, seen } = await byPodman('e2e-open')
  for (const what of ['cloud metadata', 'metadata in octal', 'the local network 10', 'the gateway', 'the machine, as pasta names it', 'carrier-grade NAT', 'the machine’s public address']) expect(seen, what).toContain(what)
  expect(answered).toEqual(expect.arrayContaining(names(outside.filter(isTcp))))
  expect(seen).toEqual(expect.arrayContaining(names(outside)))
})

describe('open', () => {
  let outcome: Outcome
  beforeAll(async () => {
    outcome = await inSandbox('e2e-open')
  })

  test('reaches the internet, the resolver and what the profile names, and nothing else', () => {
    expect(outcome.answered).toEqual(names([...outside, ...resolver].filter(isTcp)))
    expect(outcome.seen).toEqual(names([...outside, ...resolver]))
  })

  test('refuses, so that nothing waits', () => {
    expect(outcome.silent).toEqual([])
  })
})

describe.each([
  ['deny, by the label', ['e2e-deny']],
  ['deny, for who asks', ['e2e-open', '--egress', 'deny']],
  ['allowlist, whose profile lists nothing', ['e2e-open', '--egress', 'allowlist']],
])('%s', (_what, flags) => {
  test('reaches nothing', async () => {
    const { answered, seen, silent } = await inSandbox(...flags)
    expect({ answered, seen, silent }).toEqual({ answered: [], seen: [], silent: [] })
  })
})

test('a label of deny reaches nothing with plain Podman either', async () => {
  const { answered, seen } = await byPodman('e2e-deny')
  expect({ answered, seen }).toEqual({ answered: [], seen: [] })
})

describe('packets that no rule sees', () => {
  // Of packet(7) and raw(7): what is sent through the first one never comes to the rules.
  const program = 'for ([17, 3, 0x0300], [2, 3, 255], [10, 3, 255]) { print socket(my $s, $_->[0], $_->[1], $_->[2]) ? "made\\n" : "$!\\n" }'
  const run = (...args: string[]) => world.paddock(['run', ...args, '--project', project, '--', 'perl', '-e', program])

  test('cannot be made in a sandbox', async () => {
    const { stdout, stderr } = await run('e2e-open')
    expect(stdout, stderr).toBe('Operation not permitted\n'.repeat(3))
  })

  test('can be with NET_RAW, which needs a yes, and then nothing is said to hold it', async () => {
    expect(await run('e2e-raw')).toMatchObject({ code: 125, stderr: expect.stringContaining('--accept-findings') })
    const { stdout, stderr } = await run('e2e-raw', '--accept-findings')
    expect([stdout, stderr]).toEqual(['made\n'.repeat(3), expect.stringContaining('Its network is not held: --cap-add NET_RAW')])
    const terminal = world.terminal(['run', 'e2e-raw', '--accept-findings', '--project', project, '--', 'sh', '-c', 'echo up; read -r _'])
    await terminal.expect(/up/)
    expect(await world.ls()).toMatchObject([{ egress: 'unenforced' }])
    terminal.type('\r')
    await terminal.ended()
  })
})

describe('what holds a sandbox is told', () => {
  test.each([['e2e-open', [], 'open'], ['e2e-open', ['--egress', 'allowlist'], 'allowlist'], ['e2e-deny', [], 'deny']] as const)('%s %j: %s, and the way into it leads through the loopback', async (profile, flags, egress) => {
    const terminal = world.terminal(['run', profile, ...flags, '--project', project, '--', 'sh', '-c', 'echo up; read -r _'])
    await terminal.expect(/up/)
    const sandbox = await until('the sandbox is held', async () => (await world.ls()).find((one) => one.egress === egress))
    const { code, stdout, stderr } = await world.paddock(['exec', sandbox.id, '--', 'echo', 'reached'])
    expect([code, stdout], stderr).toEqual([0, 'reached\n'])
    const { stdout: pid } = await world.podman(['container', 'inspect', '--format', '{{.State.Pid}}', sandbox.id])
    const { stdout: rules } = await world.podman(['unshare', 'nsenter', '--target', pid.trim(), '--net', await nft(), 'list', 'ruleset'])
    expect(rules.match(/policy drop/g), rules).toHaveLength(2)
    terminal.type('\r')
    await terminal.ended()
  })

  test('a sandbox that plain Podman started is not held, and one of deny has no network', async () => {
    for (const [profile, egress] of [['e2e-open', 'unenforced'], ['e2e-deny', 'deny']] as const) {
      const { stdout: id } = await exec([podmanPath, 'run', '--detach', '--rm', '--user', 'ai', '--userns', 'keep-id:uid=1000,gid=1000', '--network', egress === 'deny' ? 'none' : 'pasta', '--volume', `${project}:/home/ai/sandbox:z`, `localhost/paddock:${profile}`, 'sleep', '60'], { env: world.env })
      expect(await world.ls()).toMatchObject([{ id: id.trim(), egress }])
      await world.podman(['rm', '--force', '--time', '0', id.trim()])
    }
  })

  test('wider than the profile needs a yes', async () => {
    const refused = await world.paddock(['run', 'e2e-deny', '--egress', 'open', '--project', project, '--', 'true'])
    expect([refused.code, refused.stderr]).toEqual([125, expect.stringContaining('--egress open lets out more than profile "e2e-deny", which says deny')])
    const { answered } = await inSandbox('e2e-deny', '--egress', 'open', '--accept-findings')
    expect(answered).toEqual(names([...outside, ...resolver].filter(isTcp)))
  })
})

const nft = async () => (await createLauncher(world, ableHost).findNft())!

const silent = { signal: new AbortController().signal, onProgress: () => {} }
const prepare = (command = ['sh', '-c', 'touch started; sleep 20']): Promise<LaunchPlan> =>
  prepareLaunch(createLauncher(world, ableHost), { profile: 'e2e-open', project, cwd: '/', tty: false, command, acceptFindings: false, isolation: 'container' }, silent)
const inRecord = ({ launchId }: LaunchPlan, file: string) => join(world.launchesFolder, launchId, file)

test.each(['deny', 'allowlist'] as const)('the rules of %s hold a sandbox that has a network all the same', async (mode) => {
  const plan = await prepare(['perl', 'attempts.pl'])
  const rules = egressRules({ mode, mark: plan.launchId, host: [], resolvers: [], places: [], published: { tcp: [], udp: [] } })
  writeFileSync(inRecord(plan, 'egress.nft'), formatEgressRules(rules))
  expect(plan.command).toContain('--network=pasta')
  const { answered, seen, silent } = await tryAll(plan.command)
  expect(readFileSync(inRecord(plan, 'egress-receipt'), 'utf8')).toMatch(/policy drop;[\s\S]*policy drop;[\s\S]*\nend\n$/)
  expect({ answered, seen, silent }).toEqual({ answered: [], seen: [], silent: [] })
  await removeLaunchRecord(launchRecord(world.launchesFolder, plan.launchId)!)
})

describe('a launch whose rules are not in place', () => {
  const launch = async (plan: LaunchPlan) => {
    const started = Date.now()
    const report = await runLaunch(createLauncher(world, ableHost).workshop.podman, world.launchesFolder, plan, false).then(() => ({ code: 'none', message: '' }), (error: { report: { code: string; message: string } }) => error.report)
    expect(Date.now() - started).toBeLessThan(45_000)
    expect(await world.ls()).toEqual([])
    expect(readdirSync(world.launchesFolder)).toEqual([])
    return report
  }
  /** Nothing of it ran. */
  const refused = async (plan: LaunchPlan) => {
    rmSync(join(project, 'started'), { force: true })
    const report = await launch(plan)
    expect(existsSync(join(project, 'started'))).toBe(false)
    return report
  }
  const changeHook = (plan: LaunchPlan, change: (args: string[]) => void) => {
    const hook = JSON.parse(readFileSync(inRecord(plan, 'hooks/egress.json'), 'utf8')) as { hook: { args: string[] } }
    change(hook.hook.args)
    writeFileSync(inRecord(plan, 'hooks/egress.json'), JSON.stringify(hook))
  }

  test('because nft is missing does not start', async () => {
    const plan = await prepare()
    changeHook(plan, (args) => (args[4] = '/nonexistent/nft'))
    expect(await refused(plan)).toMatchObject({ code: 'egress-unavailable', message: expect.stringMatching(/was not started.*nft could not load the rules: .*not found/s) })
  })

  test('because the rules are no rules does not start', async () => {
    const plan = await prepare()
    writeFileSync(inRecord(plan, 'egress.nft'), 'table inet paddock {\n  chain output { nonsense }\n}\n')
    expect(await refused(plan)).toMatchObject({ code: 'egress-unavailable', message: expect.stringContaining('syntax error') })
  })

  test('because somebody has put a table of that name there does not start', async () => {
    const plan = await prepare()
    changeHook(plan, (args) => (args[2] = `"$1" add table inet paddock\n${args[2]}`))
    expect(await refused(plan)).toMatchObject({ code: 'egress-unavailable', message: expect.stringContaining('File exists') })
  })

  test('because the hook fails without a word does not start', async () => {
    const plan = await prepare()
    changeHook(plan, (args) => (args[2] = 'exit 1'))
    expect(await refused(plan)).toMatchObject({ code: 'none' })
  })

  test('because nft says that it did and did not is stopped', async () => {
    const plan = await prepare()
    const liar = join(world.folder, 'lying-nft')
    writeFileSync(liar, '#!/bin/sh\ncase $1 in list) echo "table inet paddock {"; echo "}";; esac\n', { mode: 0o755 })
    changeHook(plan, (args) => (args[4] = liar))
    expect(await launch(plan)).toMatchObject({ code: 'egress-broken', message: expect.stringContaining('the kernel lists no such rules') })
  })

  test('because other rules were loaded is stopped', async () => {
    const plan = await prepare()
    const rules = readFileSync(inRecord(plan, 'egress.nft'), 'utf8')
    writeFileSync(inRecord(plan, 'egress.nft'), rules.replaceAll('policy drop', 'policy accept'))
    expect(await launch(plan)).toMatchObject({ code: 'egress-broken', message: expect.stringContaining('chain input is not as it should be') })
  })

  test('because Podman did not run the hook is stopped', async () => {
    const plan = await prepare()
    expect(await launch({ ...plan, command: plan.command.filter((word) => !word.startsWith('--hooks-dir')) })).toMatchObject({ code: 'egress-broken', message: expect.stringContaining('did not run the hook') })
  })
})
