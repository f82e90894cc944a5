import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endFirstProgram } from '../electron/core/guest/end-program.ts'
import type { GuestChannel } from '../electron/core/guest/guest-channel.ts'
import { openGuest, startSandbox } from './fixtures/guest.ts'
import { findPaths } from '../electron/core/store/paths.ts'
import { createWorld, exec, onMinimal, until, type World } from './harness.ts'

let world: World
let project: string
let id: string
let channel: GuestChannel

beforeAll(async () => {
  world = createWorld('guest-channel')
  project = world.project()
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
  id = await startSandbox(world, 'minimal', project)
  channel = await openGuest(world, id)
})
afterAll(async () => {
  channel?.close()
  await world?.dispose()
})

const sh = (script: string, ...words: string[]) => channel.run(['sh', '-c', script, 'sh', ...words])
const text = async (script: string, ...words: string[]) => (await sh(script, ...words)).stdout.toString()

describe('a program in the guest', () => {
  test('runs as ai, without rights, in the project', async () => {
    const said = await text('id -un; pwd; cat /proc/self/status')
    expect(said).toMatch(/^ai\n\/home\/ai\/sandbox\n/)
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) expect(said).toMatch(new RegExp(`^${set}:\\t0{16}$`, 'm'))
    expect(said).toMatch(/^NoNewPrivs:\t1$/m)
    expect(said).toMatch(/^SigIgn:\t0{16}$/m)
  })

  test('gets its words as they are', async () => {
    const words = ['two words', '', '$HOME', '*', '"', "'", "a'b", '\\', '--help', 'é', 'a\nb', '!!', '~', '-']
    const { stdout } = await channel.run(['printf', '[%s]', ...words])
    expect(stdout.toString()).toBe(words.map((word) => `[${word}]`).join(''))
  })

  test('gets stdin byte for byte, and its stdout and stderr stay apart', async () => {
    const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, at) => (at * 7 + (at >> 8)) % 256))
    const { stdout, stderr } = await channel.run(['sh', '-c', 'cat; echo apart >&2'], { input: bytes, maxOutput: 2_000_000 })
    expect(stdout.equals(bytes)).toBe(true)
    expect(stderr.toString()).toBe('apart\n')
  })

  test.each([
    ['exit 0', 0], ['exit 3', 3], ['exit 255', 255], ['kill -TERM $$', 143], ['kill -KILL $$', 137], ['kill -SEGV $$', 139],
  ])('that ends with "%s" ends with %i', async (script, code) => {
    expect((await sh(script)).exitCode).toBe(code)
  })

  test.each([
    [['no-such-program'], 127], [['/etc/passwd'], 126],
  ])('that cannot be started, %j, gives %i', async (argv, code) => {
    expect((await channel.run(argv as [string])).exitCode).toBe(code)
  })

  test('has the sandbox’s variables and those it is given, and its own folder', async () => {
    const { stdout } = await channel.run(['sh', '-c', 'echo $LANG $COLORTERM "$OWN" $HOME $USER; pwd'], { env: { OWN: 'a "b" $c' }, cwd: '/usr/share' })
    expect(stdout.toString()).toBe('C.UTF-8 truecolor a "b" $c /home/ai ai\n/usr/share\n')
    expect((await channel.run(['true'], { cwd: '/no/such/folder' })).exitCode).toBe(126)
  })

  test('is not changed by what lies in the home', async () => {
    await sh('mv ~/.bashrc ~/.bashrc.kept 2>/dev/null; echo "echo from bashrc" > ~/.bashrc')
    try {
      expect(await text('echo clean')).toBe('clean\n')
    } finally {
      await sh('rm ~/.bashrc; mv ~/.bashrc.kept ~/.bashrc 2>/dev/null')
    }
  })

  test('gets signals, also after its input has ended', async () => {
    const process = await channel.exec(['sh', '-c', 'trap "echo caught; exit 5" USR1; echo ready; while :; do sleep 0.05; done'])
    process.stdin.end()
    let said = ''
    process.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said === 'ready\n') process.signal('SIGUSR1')
    })
    expect(await process.exit).toEqual({ exitCode: 5, signal: null })
    expect(said).toBe('ready\ncaught\n')
  })

  test('is ended with its whole group when it is called off, even if it ignores SIGTERM', async () => {
    const abort = new AbortController()
    const process = await channel.exec(['sh', '-c', 'trap "" TERM; sleep 1234 & echo started; while :; do sleep 1; done'], { signal: abort.signal })
    process.stdout.on('data', () => abort.abort())
    expect(await process.exit).toEqual({ exitCode: 137, signal: 'SIGKILL' })
    expect(await text('pgrep -f "^sleep 1234" || echo none; true')).toBe('none\n')
  })

  test('that prints without end is ended at the limit, and one that hangs at its time', async () => {
    const flood = await channel.run(['yes'], { maxOutput: 100_000 })
    expect(flood).toMatchObject({ isCut: true })
    expect(flood.stdout.length + flood.stderr.length).toBe(100_000)
    expect(await channel.run(['sleep', '1000'], { timeoutMs: 200 })).toMatchObject({ isTimedOut: true, exitCode: 143 })
  })

  test('whose output nobody reads waits, and holds nothing up', async () => {
    const process = await channel.exec(['sh', '-c', 'head -c 20000000 /dev/zero; echo done >&2'])
    expect(await text('echo beside')).toBe('beside\n')
    expect(process.stdout.readableLength).toBeLessThanOrEqual(4 * 1024 * 1024)
    let length = 0
    process.stdout.on('data', (chunk: Buffer) => (length += chunk.length))
    await process.exit
    expect(length).toBe(20_000_000)
  })
})

describe('terminals', () => {
  test('four shells at once have sizes of their own, and follow their windows', async () => {
    const sizes = [[80, 24], [132, 43], [40, 10], [200, 60]] as const
    const shells = await Promise.all(sizes.map(([cols, rows]) => channel.shell({ cols, rows })))
    const said = shells.map(() => '')
    shells.forEach((shell, at) => shell.stdout.on('data', (chunk: Buffer) => (said[at] += chunk.toString())))
    for (const shell of shells) shell.stdin.write('stty size; tty; pwd\r')
    for (const [at, [cols, rows]] of sizes.entries()) {
      await until(`shell ${at} tells its size`, () => said[at]!.includes(`${rows} ${cols}`) && /\/dev\/pts\/\d+/.test(said[at]!) && said[at]!.includes('/home/ai/sandbox'))
    }
    shells[1]!.resize({ cols: 99, rows: 33 })
    shells[1]!.stdin.write('stty size\r')
    await until('the new size', () => said[1]!.includes('33 99'))
    for (const [at, shell] of shells.entries()) shell.stdin.write(`exit ${at + 3}\r`)
    expect(await Promise.all(shells.map(async ({ exit }) => (await exit).exitCode))).toEqual([3, 4, 5, 6])
  })

  test('Ctrl-C ends what runs in front', async () => {
    const shell = await channel.exec(['sh', '-c', 'echo ready; sleep 1000'], { tty: { cols: 80, rows: 24 } })
    let said = ''
    shell.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await until('it runs', () => said.includes('ready'))
    shell.stdin.write('\x03')
    expect((await shell.exit).exitCode).toBe(130)
  })
})

describe('the way in', () => {
  test('opens no port on the host', async () => {
    const { stdout } = await world.podman(['port', id])
    expect(stdout).toBe('')
    const listening = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/net/${name}`, 'utf8')).join('')
    expect(listening).not.toMatch(/:08AE [0-9A-F:]+ 0A/)
  })

  test('reaches ports of the guest’s loopback and nothing else', async () => {
    const serve = 'use IO::Socket; my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1", LocalPort => 7171) or die; while (my $c = $s->accept) { my $l = <$c>; print $c "heard $l"; close $c }'
    const listener = await channel.exec(['perl', '-e', serve])
    try {
      const stream = await until('it listens', () => channel.forward(7171).catch(() => null))
      const answer = new Promise<string>((resolve) => {
        let got = ''
        stream.on('data', (chunk: Buffer) => (got += chunk.toString()))
        stream.once('end', () => resolve(got))
      })
      stream.write('a line\n')
      expect(await answer).toBe('heard a line\n')
      await expect(channel.forward(7172)).rejects.toThrow()
    } finally {
      await listener.end()
    }
  })

  test('tells the kernel', async () => {
    const { bootId, release } = await channel.kernel()
    expect(bootId).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
    expect(release).toBe(readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim())
  })

  test('works without a network, and files go through it', async () => {
    world.profile('e2e-guest-none', onMinimal((label) => label.replace('--network pasta', '--network none')))
    const lonely = await startSandbox(world, 'e2e-guest-none', world.project('lonely'))
    const other = await openGuest(world, lonely)
    const { stdout } = await other.run(['sh', '-c', 'ls /sys/class/net'])
    expect(stdout.toString().trim()).toBe('lo')
    const sftp = await other.sftp()
    const entries = await new Promise((resolve, reject) => sftp.readdir('/home/ai', (error, list) => (error ? reject(error) : resolve(list.map(({ filename }) => filename)))))
    expect(entries).toContain('sandbox')
    other.close()
    expect(await other.closed).toBeNull()
    await expect(other.exec(['true'])).rejects.toMatchObject({ report: { code: 'channel-lost' } })
    await world.podman(['rm', '--force', '--time', '0', lonely])
  })

  test('has its keys in the runtime folder for as long as the sandbox lives, and says so when they are gone', async () => {
    const keysFolder = findPaths().runtimeKeysFolder!
    const keptFor = await startSandbox(world, 'minimal', world.project('keys'))
    const launches = readdirSync(world.launchesFolder)
    const keys = launches.map((launch) => join(keysFolder, launch)).filter((folder) => existsSync(folder))
    // Of each sandbox of this world; none of the keys lies on a disk.
    expect(keys).toHaveLength(launches.length)
    expect((await exec(['find', world.launchesFolder, '-type', 'f', '-name', '*key*'])).stdout).toBe('')
    const { stdout } = await world.podman(['container', 'inspect', '--format', '{{range .Mounts}}{{if eq .Destination "/run/paddock/channel"}}{{.Source}} {{.RW}}{{end}}{{end}}', keptFor])
    const own = dirname(stdout.split(' ')[0]!)
    expect(keys).toContain(own)
    expect(stdout.trim()).toBe(`${own}/channel false`)
    // As at a log-out: the folder is emptied under a sandbox that goes on.
    renameSync(own, `${own}.away`)
    expect(await world.paddock(['exec', keptFor, '--', 'true'])).toMatchObject({ code: 125, stderr: expect.stringMatching(/its keys are gone with .*linger/) })
    expect((await world.ls()).find((sandbox) => sandbox.id === keptFor)?.channelProblem).toContain('its keys are gone')
    renameSync(`${own}.away`, own)
    expect((await world.paddock(['stop', keptFor])).code).toBe(0)
    await until('its keys are gone with it', () => !existsSync(own))
  })

  test('a program under way is told of when its sandbox is killed', async () => {
    const doomed = await startSandbox(world, 'minimal', world.project('doomed'))
    const other = await openGuest(world, doomed)
    const process = await other.exec(['sleep', '1000'])
    await world.podman(['rm', '--force', '--time', '0', doomed])
    await expect(process.exit).rejects.toMatchObject({ report: { code: 'channel-lost' } })
    expect(await other.closed).toMatchObject({ report: { code: 'channel-lost' } })
    await expect(openGuest(world, doomed)).rejects.toMatchObject({ report: { code: 'sandbox-unknown' } })
  })
})

describe('the first program', () => {
  const trapped = 'trap "echo hung up >> said; exit 0" HUP; trap "echo told >> said; exit 0" TERM; echo ready > said; while :; do sleep 0.1; done'
  const deaf = 'trap "" HUP; trap "echo told >> said; exit 0" TERM; echo ready > said; while :; do sleep 0.1; done'

  test.each([['hears that its terminal is gone', trapped, 'hung up'], ['is told to end when it ignores that', deaf, 'told']])('is ended from inside, and %s', async (name, script, said) => {
    const folder = world.project(name)
    const ending = await startSandbox(world, 'minimal', folder, ['sh', '-c', script])
    await until('it is ready', () => existsSync(join(folder, 'said')))
    const guest = await openGuest(world, ending)
    expect(await endFirstProgram(guest)).toBe(true)
    guest.close()
    await until('the sandbox ended with it', async () => !(await world.ls()).some((sandbox) => sandbox.id === ending))
    expect(readFileSync(join(folder, 'said'), 'utf8')).toBe(`ready\n${said}\n`)
  })
})
