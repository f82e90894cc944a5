import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGuest, startSandbox } from './fixtures/guest.ts'
import { createWorld, exec, onMinimal, until, type World } from './harness.ts'

let world: World
let project: string
let id: string
let short: string

beforeAll(async () => {
  world = createWorld('guest')
  project = world.project()
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
  id = await startSandbox(world, 'minimal', project)
  short = id.slice(0, 12)
})
afterAll(() => world?.dispose())

const inGuest = (command: readonly string[], input?: string | Buffer, flags: readonly string[] = []) =>
  world.paddock(['exec', ...flags, short, '--', ...command], input === undefined ? {} : { input })
/** A folder of the test's own on this machine that no sandbox can write. */
function hostFolder(name: string): string {
  const folder = join(world.folder, 'host', name)
  mkdirSync(folder, { recursive: true })
  return folder
}

describe('paddock exec', () => {
  test.each([[['true'], 0], [['sh', '-c', 'exit 3'], 3], [['sh', '-c', 'kill -KILL $$'], 137], [['no-such'], 127], [['/etc/passwd'], 126]])('%j ends with %i', async (command, code) => {
    expect((await inGuest(command)).code).toBe(code)
  })

  test('hands stdin on and keeps stdout and stderr apart, byte for byte', async () => {
    const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => (at * 7 + (at >> 8)) % 256))
    const ended = await inGuest(['sh', '-c', 'cat; printf "to err" >&2'], bytes)
    expect(ended.code).toBe(0)
    expect(ended.bytes.equals(bytes)).toBe(true)
    expect(ended.stderr).toBe('to err')
  })

  test('runs in the project, or where it is told, with variables', async () => {
    expect((await inGuest(['pwd'])).stdout).toBe('/home/ai/sandbox\n')
    const { stdout } = await inGuest(['sh', '-c', 'pwd; echo "$A"'], undefined, ['--workdir', '/usr', '--env', 'A=b c'])
    expect(stdout).toBe('/usr\nb c\n')
  })

  test('passes signals on, and ends as the command does', async () => {
    const command = ['sh', '-c', 'trap "echo caught; exit 9" TERM; echo ready > sign; while :; do sleep 0.05; done']
    rmSync(join(project, 'sign'), { force: true })
    const ended = world.paddock(['exec', short, '--', ...command], {
      onStarted: (pid) => void until('the command runs', () => existsSync(join(project, 'sign'))).then(() => process.kill(pid, 'SIGTERM')),
    })
    expect(await ended).toMatchObject({ code: 9, stdout: 'caught\n' })
  })

  test('does not wait for what a command left in the background once it is told to end', async () => {
    rmSync(join(project, 'sign'), { force: true })
    const ended = world.paddock(['exec', short, '--', 'sh', '-c', 'sleep 600 & echo ready > sign; exit 4'], {
      onStarted: (pid) => void until('the command runs', () => existsSync(join(project, 'sign'))).then(() => setTimeout(() => process.kill(pid, 'SIGINT'), 1_000)),
    })
    expect(await ended).toMatchObject({ code: 4 })
  })

  test('gives a terminal when told: size, keys, Ctrl-C', async () => {
    const terminal = world.terminal(['exec', '--tty', short, '--', 'sh', '-c', 'stty size; tty; sleep 1000'])
    await terminal.expect(/30 100/)
    await terminal.expect(/\/dev\/pts\//)
    terminal.type('\x03')
    expect(await terminal.ended()).toBe(130)
  })

  test.each([
    [['exec', 'IDENTITY'], 2, /no command to run/],
    [['exec', 'ffffffffffff', '--', 'true'], 2, /ffffffffffff is gone/],
    [['exec', 'zzz', '--', 'true'], 2, /no sandbox "zzz"/],
    [['exec', '--tty', 'IDENTITY', '--', 'true'], 2, /no terminal/],
    [['shell', 'IDENTITY'], 2, /no terminal/],
    [['cp', 'a', 'b'], 2, /has to be in a sandbox/],
    [['ports', 'IDENTITY', '--forward', '0'], 2, /names no port/],
    [['open-url', 'IDENTITY', 'http://localhost:3000'], 125, /has no desktop.*\n.*profile "desktop"/],
  ])('a wrong use is explained: %j', async (args, code, why) => {
    const ended = await world.paddock(args.map((word) => (word === 'IDENTITY' ? short : word)))
    expect(ended.code).toBe(code)
    expect(ended.stderr).toMatch(why)
  })

  test('says why a sandbox of plain Podman cannot be reached', async () => {
    const { stdout } = await world.podman(['run', '--detach', '--rm', '--user', 'ai', '--volume', `${project}:/home/ai/sandbox`, 'localhost/paddock:minimal', 'sleep', 'infinity'])
    const plain = stdout.trim()
    try {
      const listed = (await world.ls()).find((sandbox) => sandbox.id === plain)
      expect(listed?.channelProblem).toContain('plain Podman')
      const { code, stderr } = await world.paddock(['exec', plain, '--', 'true'])
      expect(code).toBe(125)
      expect(stderr).toMatch(/cannot be reached from here: it was started by plain Podman/)
    } finally {
      await world.podman(['rm', '--force', '--time', '0', plain])
    }
  })
})

describe('paddock shell', () => {
  test('is another login shell, as large as its terminal, and exits as it does', async () => {
    const terminal = world.terminal(['shell', short])
    await terminal.expect(/\$ /)
    terminal.type('stty size; pwd; shopt login_shell\r')
    await terminal.expect(/30 100/)
    await terminal.expect(/\/home\/ai\/sandbox/)
    await terminal.expect(/login_shell\s+on/)
    terminal.resize(77, 20)
    await until('the new size arrives', async () => {
      terminal.type('stty size\r')
      return terminal.expect(/20 77/, 1_000).catch(() => false)
    })
    terminal.type('exit 5\r')
    expect(await terminal.ended()).toBe(5)
  })
})

describe('the clients of SSH', () => {
  let config: string
  let name: string
  const withConfig = (program: string, ...args: string[]) => exec([program, '-F', config, ...args], { env: world.env })

  beforeAll(async () => {
    config = join(world.folder, 'ssh-config')
    name = `paddock-${short}`
    const { code, stdout, stderr } = await world.paddock(['ssh-config', short])
    expect(code, stderr).toBe(0)
    writeFileSync(config, stdout, { mode: 0o600 })
  })

  test('ssh', async () => {
    const { code, stdout, stderr } = await withConfig('ssh', name, 'id -un; echo $LANG; exit 4')
    expect({ code, stdout }, stderr).toEqual({ code: 4, stdout: 'ai\nC.UTF-8\n' })
  })

  test('sftp', async () => {
    const folder = hostFolder('sftp')
    writeFileSync(join(folder, 'up'), 'by sftp')
    const { code, stderr } = await exec(['sftp', '-F', config, '-b', '-', name], { env: world.env, input: `put ${folder}/up sandbox/from-sftp\nget sandbox/from-sftp ${folder}/down\n` })
    expect(code, stderr).toBe(0)
    expect(readFileSync(join(folder, 'down'), 'utf8')).toBe('by sftp')
  })

  test('rsync, where the sandbox has it too', async () => {
    world.profile('e2e-guest-rsync', onMinimal(undefined, ['RUN apt-get update && apt-get install -y --no-install-recommends rsync && rm -rf /var/lib/apt/lists/*']))
    const { code, stderr } = await world.paddock(['build', 'e2e-guest-rsync'])
    expect(code, stderr).toBe(0)
    const other = await startSandbox(world, 'e2e-guest-rsync', world.project('rsync'))
    const source = join(hostFolder('rsync'), 'source')
    mkdirSync(join(source, 'deep'), { recursive: true })
    writeFileSync(join(source, 'deep/file'), 'by rsync', { mode: 0o640 })
    const otherConfig = join(world.folder, 'rsync-config')
    writeFileSync(otherConfig, (await world.paddock(['ssh-config', other])).stdout, { mode: 0o600 })
    const host = `paddock-${other.slice(0, 12)}`
    for (const [from, to] of [[source, `${host}:/var/tmp/`], [`${host}:/var/tmp/source`, join(dirname(source), 'back')]] as const) {
      const ended = await exec(['rsync', '-a', '-e', `ssh -F ${otherConfig}`, from, to], { env: world.env })
      expect(ended.code, ended.stderr).toBe(0)
    }
    expect(readFileSync(join(dirname(source), 'back/source/deep/file'), 'utf8')).toBe('by rsync')
    await world.podman(['rm', '--force', '--time', '0', other])
  })

  test('accept no other host key', async () => {
    const other = join(world.folder, 'other-hosts')
    writeFileSync(other, readFileSync(/UserKnownHostsFile "(.*)"/.exec(readFileSync(config, 'utf8'))![1]!, 'utf8').replace(/.{8}$/m, 'AAAAAAAA'))
    const { code, stderr } = await withConfig('ssh', '-o', `UserKnownHostsFile=${other}`, name, 'true')
    expect(code).toBe(255)
    expect(stderr).toMatch(/verification failed|Host key/i)
  })

  test('get no more than was said: no agent, no display, no other host, no port from inside', async () => {
    const agent = await withConfig('ssh', '-A', name, 'echo "agent=$SSH_AUTH_SOCK display=$DISPLAY"')
    expect(agent.stdout).toBe('agent= display=\n')
    const remote = await withConfig('ssh', '-o', 'ExitOnForwardFailure=yes', '-R', '9099:localhost:22', name, 'true')
    expect(remote.code).toBe(255)
    const elsewhere = await withConfig('ssh', '-W', '192.0.2.1:80', name)
    expect(elsewhere.code).toBe(255)
    expect(elsewhere.stderr).toMatch(/prohibited/)
  })

  test('paddock ssh runs the real one', async () => {
    const { code, stdout, stderr } = await world.paddock(['ssh', short, '-o', 'LogLevel=ERROR', 'pwd; exit 6'])
    expect({ code, stdout }, stderr).toEqual({ code: 6, stdout: '/home/ai\n' })
  })
})

describe('paddock ports', () => {
  test('tells what listens inside, and leads there', async () => {
    const serve = 'use IO::Socket; my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1", LocalPort => 7272) or die; while (my $c = $s->accept) { my $l = <$c>; print $c "heard $l"; close $c }'
    const guest = await openGuest(world, id)
    const listener = await guest.exec(['perl', '-e', serve])
    try {
      const list = await until('it listens', async () => {
        const ports = JSON.parse((await world.paddock(['ports', short, '--json'])).stdout) as unknown[]
        return ports.length > 0 && ports
      })
      expect(list).toEqual([{ port: 7272, address: '127.0.0.1', process: { pid: expect.any(Number), command: expect.stringMatching(/^perl -e use IO::Socket/) } }])
      const terminal = world.terminal(['ports', short, '--forward', '7272:0'])
      const [, port] = await terminal.expect(/127\.0\.0\.1:(\d+) leads to port 7272/)
      const answer = await new Promise<string>((resolve, reject) => {
        let got = ''
        const socket = connect(Number(port), '127.0.0.1', () => socket.write('hello\n'))
        socket.on('data', (chunk) => (got += chunk.toString())).once('end', () => resolve(got)).once('error', reject)
      })
      expect(answer).toBe('heard hello\n')
      terminal.type('\x03')
      expect(await terminal.ended()).toBe(0)
    } finally {
      await listener.end()
      guest.close()
    }
  })
})

describe('a sandbox that is killed', () => {
  test('in the middle of exec and cp ends both with a reason, and leaves no file that looks whole', async () => {
    const doomed = await startSandbox(world, 'minimal', world.project('doomed'))
    const folder = hostFolder('doomed')
    await world.paddock(['exec', doomed, '--', 'sh', '-c', 'head -c 400000000 /dev/zero > /var/tmp/big'])
    const running = world.paddock(['exec', doomed, '--', 'sleep', '1000'])
    const copying = world.paddock(['cp', `${doomed}:/var/tmp/big`, join(folder, 'big')])
    await until('the copy is under way', () => readdirSync(folder).some((entry) => statSync(join(folder, entry)).size > 1_000_000))
    await world.podman(['rm', '--force', '--time', '0', doomed])
    for (const ended of [await running, await copying]) {
      expect(ended.code).toBe(125)
      expect(ended.stderr).toMatch(/connection to sandbox \w+ broke/)
    }
    expect(existsSync(join(folder, 'big'))).toBe(false)
  })
})
