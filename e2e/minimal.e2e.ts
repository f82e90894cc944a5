import { readFileSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, until, type World } from './harness.ts'

let world: World
let project: string
const run = (command: readonly string[], input?: string | Buffer) =>
  world.paddock(['run', 'minimal', '--project', project, '--', ...command], input === undefined ? {} : { input })
const sh = (script: string, input?: string | Buffer) => run(['sh', '-c', script], input)

beforeAll(async () => {
  world = createWorld('minimal')
  project = world.project()
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
})
afterAll(() => world.dispose())

describe('inside a sandbox of the minimal profile', () => {
  test('the person is ai, in the project, without rights', async () => {
    const { code, stdout, stderr } = await sh('id; pwd; touch /x; echo "touch $?"; cat /proc/self/status')
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^uid=1000\(ai\) gid=1000\(ai\) groups=1000\(ai\)$/m)
    expect(stdout).toMatch(/^\/home\/ai\/sandbox$/m)
    expect(stderr).toContain("cannot touch '/x': Read-only file system")
    expect(stdout).toMatch(/^touch 1$/m)
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) expect(stdout).toMatch(new RegExp(`^${set}:\\t0{16}$`, 'm'))
    expect(stdout).toMatch(/^NoNewPrivs:\t1$/m)
    expect(stdout).toMatch(/^Seccomp:\t2$/m)
  })

  test('/tmp is writable, its programs do not run, and its size is the label’s', async () => {
    const { stdout } = await sh('cp /bin/true /tmp/program && /tmp/program; echo "program $?"; df --output=size -m /tmp | tail -1')
    expect(stdout).toMatch(/^program 126$/m)
    expect(stdout).toMatch(/^ *512$/m)
  })

  test('a set-uid program gains nothing', async () => {
    const { stdout } = await sh('ls -l /usr/bin/su; su -c id </dev/null; echo "su $?"')
    expect(stdout).toMatch(/^-rws/)
    expect(stdout).not.toContain('uid=0')
    expect(stdout).not.toMatch(/^su 0$/m)
  })

  test('a file written in the project belongs to the person on the host, and back', async () => {
    const { code } = await sh('echo from inside > made; mkdir -p deep/er; echo x > deep/er/file; stat -c %U made')
    expect(code).toBe(0)
    expect(readFileSync(join(project, 'made'), 'utf8')).toBe('from inside\n')
    for (const path of ['made', 'deep', 'deep/er/file']) expect(statSync(join(project, path)).uid).toBe(process.getuid!())
    rmSync(join(project, 'deep'), { recursive: true })
  })

  test('of the host it sees the project, its home, and the files that every container gets', async () => {
    const { stdout } = await sh('cat /proc/self/mountinfo; env')
    const mounts = stdout.split('\n').flatMap((line) => {
      const [, from, point, type] = /^\d+ \d+ \S+ (\S+) (\S+) .* - (\S+)/.exec(line) ?? []
      return type === undefined ? [] : [{ from, point, type }]
    })
    const own = new Set(['overlay', 'proc', 'sysfs', 'devpts', 'mqueue', 'cgroup', 'cgroup2', 'devtmpfs'])
    const fromHost = mounts.filter(({ from, type }) => !own.has(type) && !(type === 'tmpfs' && from === '/')).map(({ point }) => point)
    const podmans = ['/etc/hostname', '/etc/hosts', '/etc/resolv.conf', '/run/.containerenv']
    const devices = /^\/dev\/(null|zero|full|tty|random|urandom)$|^\/proc\//
    expect(fromHost.filter((point) => !devices.test(point ?? '')).sort()).toEqual(['/home/ai', '/home/ai/sandbox', '/run/paddock/boot-id', '/run/paddock/channel', ...podmans].sort())
    expect(stdout).not.toMatch(/XDG_|PADDOCK|TOKEN/)
  })

  test('the home persists from one sandbox to the next', async () => {
    const name = `.e2e-${process.pid}`
    const onHost = join(homedir(), '.local/share/paddock/homes/default', name)
    try {
      expect((await sh(`echo remembered > ~/${name}`)).code).toBe(0)
      const next = await sh(`cat ~/${name}`)
      expect(next.stdout).toBe('remembered\n')
      expect(statSync(onHost).uid).toBe(process.getuid!())
    } finally {
      rmSync(onHost, { force: true })
    }
  })

  test('two folders have a sandbox each at the same time', async () => {
    const other = world.project('other')
    const wait = 'echo here > sign; until [ -e go ]; do sleep 0.05; done; cat sign-of'
    const first = sh(`echo one > sign-of; ${wait}`)
    const second = world.paddock(['run', 'minimal', '--project', other, '--', 'sh', '-c', `echo two > sign-of; ${wait}`])
    const both = await until('two sandboxes', async () => {
      const found = (await world.ls()).filter(({ state }) => state === 'running')
      return found.length === 2 && found
    })
    expect(both.map((sandbox) => sandbox.project).sort()).toEqual([other, project].sort())
    await world.podman(['exec', both[0]!.id, 'touch', 'go'])
    await world.podman(['exec', both[1]!.id, 'touch', 'go'])
    expect([(await first).stdout, (await second).stdout]).toEqual(['one\n', 'two\n'])
  })
})

describe('exit codes and streams', () => {
  test.each([
    ['true', ['true'], 0],
    ['a code of its own', ['sh', '-c', 'exit 3'], 3],
    ['the highest code', ['sh', '-c', 'exit 255'], 255],
    ['a file that is no program', ['/etc/passwd'], 126],
    ['a program that does not exist', ['no-such-program'], 127],
    ['a shell whose program was killed', ['sh', '-c', 'sh -c \'kill -KILL $$\''], 137],
  ])('%s', async (_name, command, code) => {
    const ended = await run(command)
    expect(ended.code, ended.stderr).toBe(code)
  })

  test('what is left of a sandbox that ended is nothing', async () => {
    expect(await world.ls()).toEqual([])
    expect(await world.podman(['ps', '--all', '--filter', `label=dev.paddock.project=${project}`, '--quiet'])).toMatchObject({ stdout: '' })
  })

  test('stdin arrives whole and stdout comes back byte for byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => (at * 7 + (at >> 8)) % 256))
    const { code, bytes: back } = await run(['cat'], bytes)
    expect(code).toBe(0)
    expect(back.equals(bytes)).toBe(true)
  })

  test('stdout and stderr stay apart, and nothing of Paddock’s is on stdout', async () => {
    const { stdout, stderr } = await sh('printf "to out\\r\\n"; printf "to err" >&2')
    expect(stdout).toBe('to out\r\n')
    expect(stderr.endsWith('to err')).toBe(true)
  })

  test('an empty stdin ends a reader, and there is no terminal', async () => {
    const { code, stdout } = await sh('cat; tty')
    expect(stdout).toBe('not a tty\n')
    expect(code).toBe(1)
  })

  test('words arrive as they were given', async () => {
    const words = ['two words', '', '$HOME', '*', '"', "'", '--help', 'é', 'a\nb']
    const { stdout } = await run(['printf', '[%s]', ...words])
    expect(stdout).toBe(words.map((word) => `[${word}]`).join(''))
  })
})
