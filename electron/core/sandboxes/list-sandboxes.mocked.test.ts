import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakePodman, type FakePodman, recording, type Rule } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import { listSandboxes } from './list-sandboxes.ts'

const host = '77189030-be50-4e59-883c-1dcc636cd443'
const other = '0c3b5e9a-1111-4222-8333-444455556666'
// The kernel of the machine that runs the tests, and its control groups, are the two things that no fake program can be.
vi.mock('./host-boot-id.ts', () => ({ bootIdFile: '/proc/sys/kernel/random/boot_id', hostBootId: async () => `${host}\n` }))
vi.mock('./cgroup-limits.ts', () => ({ unenforcedCaps: () => ['ramMib', 'cpus', 'pids'] }))

interface Inspected {
  Id: string
  OCIRuntime: string
  State: { Status: string; StartedAt: string; Error: string }
  Config: { Labels: Record<string, string> | null; CreateCommand: string[] }
  Mounts: unknown[]
  NetworkSettings: { Ports: unknown }
}
const [ps] = JSON.parse(recording('ps.json'))
const inspected = (): Inspected => JSON.parse(recording('container-inspect.json'))[0]
const id: string = ps.Id
const launchId: string = ps.Labels['dev.paddock.launch']

let fake: FakePodman
let launches: string
beforeEach(() => {
  fake = createFakePodman()
  launches = join(fake.folder, 'launches')
})
afterEach(() => fake.remove())
const exec = (stdout: string, rule: Partial<Rule> = {}): Rule => ({ on: `^exec ${id} cat /proc/sys/kernel/random/boot_id$`, stdout, ...rule })
const answer = (change: (container: Inspected) => void = () => {}, ...more: Rule[]) => {
  const container = inspected()
  change(container)
  fake.answer([{ on: '^ps ', stdout: { recording: 'ps.json' } }, { on: '^container inspect', stdout: JSON.stringify([container]) }, ...more])
}
const list = () => listSandboxes(fake.podman, launches)
const only = async () => {
  const sandboxes = await list()
  expect(sandboxes).toHaveLength(1)
  return sandboxes[0]!
}
function report(bootId: string) {
  mkdirSync(join(launches, launchId), { recursive: true })
  writeFileSync(join(launches, launchId, 'boot-id'), `${bootId}\n`)
}
function verify(container: string) {
  writeFileSync(join(launches, launchId, 'verified-microvm'), '')
  writeFileSync(join(launches, launchId, 'container-id'), container)
}

describe('a sandbox as the real Podman describes it', () => {
  it('is listed whole', async () => {
    answer(undefined, exec(`${host}\n`))
    expect(await list()).toEqual([{
      id, profile: 'minimal', project: '/home/user/project', state: 'running', isolation: 'container', egress: 'unenforced', startedAt: '2026-11-29T14:48:19.891Z',
      caps: { ramMib: 2048, cpus: 2, tmpSize: '512m', pids: 512, unenforced: ['ramMib', 'cpus', 'pids'] },
      ports: [{ host: '127.0.0.1', hostPort: 18080, sandboxPort: 8080, protocol: 'tcp' }], hasDesktop: false, channelProblem: 'the keys of its launch are not there', error: null,
    }])
  })

  it('has a desktop when its launch asked for one', async () => {
    answer(({ Config }) => Config.CreateCommand.splice(Config.CreateCommand.indexOf('run') + 1, 0, '--annotation', 'dev.paddock.desktop=true'), exec(`${host}\n`))
    expect(await only()).toMatchObject({ hasDesktop: true })
  })

  it('is known by its image when plain Podman started it', async () => {
    fake.answer([
      { on: '^ps ', stdout: JSON.stringify([{ ...ps, Labels: { run: 'x' } }]) },
      { on: '^container inspect', stdout: JSON.stringify([{ ...inspected(), Config: { ...inspected().Config, Labels: null } }]) },
      exec(host),
    ])
    expect(await only()).toMatchObject({ profile: 'minimal', project: '/home/user/project', isolation: 'container' })
  })

  it.each<[what: string, change: (container: Inspected) => void, expected: object]>([
    ['never started', (c) => (c.State = { Status: 'created', StartedAt: '0001-01-01T00:00:00Z', Error: '' }), { state: 'created', startedAt: null, isolation: 'unverified' }],
    ['failed to start', (c) => (c.State = { ...c.State, Status: 'exited', Error: 'crun: no' }), { state: 'exited', error: 'crun: no', isolation: 'unverified' }],
    ['without a project', (c) => (c.Mounts = []), { project: null }],
    ['with no ports', (c) => (c.NetworkSettings.Ports = null), { ports: [] }],
    ['with an exposed port that is not published', (c) => (c.NetworkSettings.Ports = { '80/tcp': null }), { ports: [] }],
    ['with a port on every address', (c) => (c.NetworkSettings.Ports = { '53/udp': [{ HostIp: '', HostPort: '5353' }] }), { ports: [{ host: '0.0.0.0', hostPort: 5353, sandboxPort: 53, protocol: 'udp' }] }],
    ['made with flags in one word with their values', (c) => (c.Config.CreateCommand = ['podman', 'run', '--annotation=krun.ram_mib=512', '--pids-limit=9', 'img']), { caps: { ramMib: 512, cpus: null, tmpSize: null, pids: 9, unenforced: ['ramMib', 'pids'] } }],
    ['made by something else', (c) => (c.Config.CreateCommand = []), { caps: { ramMib: null, cpus: null, tmpSize: null, pids: null, unenforced: [] } }],
  ])('%s', async (_what, change, expected) => {
    answer(change, exec(host))
    expect(await only()).toMatchObject(expected)
  })
})

describe('the guest channel', () => {
  const launched = () => {
    report(host)
    writeFileSync(join(launches, launchId, 'container-id'), id)
  }
  const withKeys = () => {
    launched()
    mkdirSync(join(launches, launchId, 'keys'))
    writeFileSync(join(launches, launchId, 'keys/client-key'), 'a key')
  }
  it.each<[what: string, change: (container: Inspected) => void, prepare: () => void, expected: string | null]>([
    ['of a launch with its keys', () => {}, withKeys, null],
    ['of one that plain Podman started', (c) => (c.Config.Labels = null), withKeys, 'it was started by plain Podman, without the keys of a guest channel'],
    ['of one that borrowed the label of another', () => {}, () => { withKeys(); verify('f'.repeat(64)) }, 'the keys of its launch are not there'],
    ['of an older launch', () => {}, launched, 'its launch made no keys: it is of an older Paddock'],
    ['of one whose keys went when its account logged out', () => {}, () => { launched(); symlinkSync('/run/user/0000/paddock/keys/x', join(launches, launchId, 'keys')) }, expect.stringMatching(/^its keys are gone with \/run\/user\/0000, .*linger/)],
    ['of one whose entrypoint complains', () => {}, () => { withKeys(); report(`${host}\nits image has no sshd`) }, 'its image has no sshd'],
    ['of one that complains at length', () => {}, () => { withKeys(); report(`${host}\n${'x'.repeat(5000)}`) }, 'x'.repeat(300)],
    ['of one that does not run', (c) => (c.State = { ...c.State, Status: 'exited' }), launched, null],
  ])('%s', async (_what, change, prepare, expected) => {
    answer(change, exec(host))
    prepare()
    expect(await only()).toMatchObject({ channelProblem: expected })
  })
})

describe('isolation', () => {
  const krun = (c: Inspected) => (c.OCIRuntime = 'krun')

  it('is microvm where the launcher saw another kernel in this very container, whose RAM and CPUs its VMM holds', async () => {
    answer(krun)
    report(other)
    verify(id)
    expect(await only()).toMatchObject({ isolation: 'microvm', caps: { unenforced: ['pids'] } })
    expect(fake.calls().filter(([verb]) => verb === 'exec')).toEqual([])
  })

  it.each<[what: string, change: (container: Inspected) => void, prepare: () => void, rule: Rule | null, expected: string]>([
    ['a report that the launcher did not see', krun, () => report(other), null, 'unverified'],
    ['a verdict about another container', krun, () => { report(other); verify('f'.repeat(64)) }, null, 'unverified'],
    ['the host’s kernel under krun', krun, () => report(host), null, 'container'],
    ['a report of another kernel under crun', () => {}, () => { report(other); verify(id) }, null, 'container'],
    ['a launch label that is a path', (c) => (c.Config.Labels = { 'dev.paddock.launch': '../../etc' }), () => {}, exec(host), 'container'],
    ['krun without a report, which does not answer exec', krun, () => {}, exec('', { exit: 255, stderr: 'the handler does not support exec' }), 'unverified'],
    ['krun without a report that answers exec with a lie', krun, () => {}, exec(other), 'unverified'],
    ['an exec that prints without end', () => {}, () => {}, { ...exec(''), misbehave: 'huge-output' }, 'unverified'],
    ['a report of nonsense under crun', () => {}, () => report('x'.repeat(1000)), null, 'container'],
  ])('%s', async (_what, change, prepare, rule, expected) => {
    answer(change, ...(rule ? [rule] : []))
    prepare()
    expect(await only()).toMatchObject({ isolation: expected })
  })

  it('is unverified when the sandbox does not answer in time', async () => {
    answer(undefined, { ...exec(''), misbehave: 'hang' })
    expect(await only()).toMatchObject({ isolation: 'unverified' })
  }, 15_000)
})

describe('a bad day', () => {
  const second = { ...ps, Id: 'dead'.repeat(16) }
  const bothListed: Rule = { on: '^ps ', stdout: JSON.stringify([ps, second]) }
  const good: Rule = { on: `^container inspect ${id}$`, stdout: { recording: 'container-inspect.json' } }

  it('lists a container that cannot be inspected with its error, and hides no other', async () => {
    fake.answer([bothListed, good, { on: '^container inspect', exit: 125, stderr: 'Error: layer not known\n' }, exec(host)])
    expect(await list()).toMatchObject([{ id, state: 'running', error: null }, { id: second.Id, profile: 'minimal', project: '/home/user/project', state: 'broken', error: 'Podman failed: layer not known.' }])
  })

  it('lists it also beside one that vanished', async () => {
    const missing = { ...ps, Id: 'beef'.repeat(16) }
    fake.answer([
      { on: '^ps ', stdout: JSON.stringify([missing, second]) },
      { on: `^container inspect ${missing.Id}$`, exit: 125, stdout: '[]', stderr: `Error: no such container ${missing.Id}\n` },
      { on: `^container inspect ${second.Id}$`, exit: 125, stdout: '[]', stderr: 'Error: layer not known\n' },
      { on: '^container inspect', exit: 125, stdout: '[]', stderr: `Error: no such container ${missing.Id}\nError: layer not known\n` },
    ])
    expect(await list()).toMatchObject([{ id: second.Id, state: 'broken' }])
  })

  it('lists one whose description makes no sense as broken', async () => {
    answer((c) => (c.State.StartedAt = 'yesterday'), exec(host))
    expect(await only()).toMatchObject({ state: 'broken', error: expect.stringMatching(/./) })
    fake.answer([{ on: '^ps ', stdout: { recording: 'ps.json' } }, { on: '^container inspect', stdout: { recording: 'container-inspect.json' }, misbehave: 'half-json' }])
    expect(await only()).toMatchObject({ state: 'broken', error: expect.stringContaining('does not understand') })
  })

  it('leaves out a container that vanished between the two questions', async () => {
    fake.answer([bothListed, { on: '^container inspect', exit: 125, stdout: { recording: 'container-inspect.json' }, stderr: `Error: no such container ${second.Id}\n` }, exec(host)])
    expect((await list()).map((sandbox) => sandbox.id)).toEqual([id])
  })

  it('leaves out what is no sandbox, and asks nothing more when there is none', async () => {
    fake.answer([{ on: '^ps ', stdout: JSON.stringify([{ ...ps, Image: 'docker.io/library/nginx:latest', Labels: null }]) }])
    expect(await list()).toEqual([])
    expect(fake.calls()).toHaveLength(1)
  })

  it.each<[what: string, rule: Partial<Rule>, message: RegExp]>([
    ['does not run', { exit: 125, stderr: 'Error: database is locked\n' }, /database is locked/],
    ['is killed', { misbehave: 'die-by-signal', stdout: '[]' }, /exit code 137/],
    ['prints half an answer', { misbehave: 'half-json' }, /does not understand/],
  ])('says so when Podman %s', async (_what, rule, message) => {
    fake.answer([{ on: '^ps ', ...rule }])
    await expect(list()).rejects.toMatchObject({ report: { code: 'podman-failed', message: expect.stringMatching(message) } })
  })
})
