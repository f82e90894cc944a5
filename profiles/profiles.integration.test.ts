import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createCore } from '../electron/core/core.ts'
import { generateSshKeyPair } from '../electron/core/guest/openssh-key.ts'
import { sshdConfig } from '../shared/domain/guest.ts'
import { findPodman } from '../electron/core/engine/podman-path.ts'
import { findPaths } from '../electron/core/store/paths.ts'

const podmanPath = findPodman(findPaths().toolchainPodman)
const image = `localhost/paddock:entrypoint-test-${process.pid}`
const profile = (path: string) => join(import.meta.dirname, path)

/** Runs Podman; never throws for an exit code, so that a test can state it. */
function podman(args: string[], input = '') {
  const env = { PODMAN_IGNORE_CGROUPSV1_WARNING: '1' }
  return execa(podmanPath, args, { env, input, reject: false, timeout: 600_000 })
}

/** Stands in for a krun guest: uid 0 with every capability, over mounts of its own, and an executable /tmp. */
const asGuestRoot = ['--user', '0', '--cap-add', 'all', '--security-opt', 'seccomp=unconfined']
  .concat(['--read-only', '--tmpfs', '/tmp:rw,exec,mode=1777'])
const asAi = ['--user', 'ai', '--userns', 'keep-id:uid=1000,gid=1000', '--cap-drop', 'ALL']
  .concat(['--security-opt', 'no-new-privileges', '--read-only', '--tmpfs', '/tmp:rw,noexec,nosuid,nodev'])

const run = (flags: string[], command: string[], input?: string) =>
  podman(['run', '--rm', '--interactive', '--network', 'none', ...flags, image, ...command], input)

/** The entrypoint behind a script that spoils something for it first, as root. */
const runSpoiled = (spoil: string, flags = asGuestRoot) =>
  podman(
    ['run', '--rm', '--network', 'none', ...flags, '--entrypoint', '/bin/sh', image]
      .concat(['-c', `${spoil}; exec /usr/local/bin/paddock-entrypoint "$@"`, 'sh', 'echo', 'started']),
  )

async function hostBootId() {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
}

let folder: string

/** The folder that Paddock mounts for the guest channel, as an option. */
async function mountedChannel(): Promise<string[]> {
  const channel = join(folder, 'channel')
  await mkdir(channel, { mode: 0o700 })
  const files = { sshd_config: sshdConfig(), host_key: generateSshKeyPair().privateKey, authorized_keys: generateSshKeyPair().publicKey }
  for (const [name, text] of Object.entries(files)) await writeFile(join(channel, name), text, { mode: 0o600 })
  return ['--volume', `${channel}:/run/paddock/channel:ro,z`]
}

beforeAll(async () => {
  // Through the core, because it finds a base image where no registry is reachable.
  const core = createCore({ bundledProfiles: profile('.') })
  const context = { signal: new AbortController().signal, onProgress: () => {} }
  const { image: minimal } = await core.handlers['profile.build']({ profile: 'minimal', force: false }, context)
  const tagged = await podman(['tag', minimal, image])
  expect(tagged.exitCode, tagged.stderr).toBe(0)
})

afterAll(() => podman(['untag', 'localhost/paddock:minimal', image]))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paddock-entrypoint-'))
  // ai is a subordinate id where the container's root is the person.
  await chmod(folder, 0o777)
})

afterEach(async () => {
  await podman(['unshare', 'rm', '-rf', folder])
})

describe('the entrypoint as the root of a krun guest', () => {
  it('drops to ai, for good and with no capability', async () => {
    const { stdout } = await run(asGuestRoot, ['cat', '/proc/self/status'])
    const status = Object.fromEntries(stdout.split('\n').map((line) => line.split(/:\s+/).map((part) => part.trim())))
    expect(status).toMatchObject({
      Uid: '1000\t1000\t1000\t1000',
      Gid: '1000\t1000\t1000\t1000',
      Groups: '5 1000',
      NoNewPrivs: '1',
    })
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) expect(status[set]).toBe('0000000000000000')
  })

  it('makes /tmp noexec, so that a program there gives 126', async () => {
    const { stdout, exitCode } = await run(asGuestRoot, ['sh', '-c', 'cp /bin/true /tmp/t && tail -n1 /proc/self/mounts; /tmp/t'])
    expect(exitCode).toBe(126)
    expect(stdout).toMatch(/ \/tmp tmpfs \S*nosuid,nodev,noexec/)
  })

  it('leaves su powerless, even where root has no password', async () => {
    const shadow = join(folder, 'shadow')
    await writeFile(shadow, 'root::20000:0:99999:7:::\nai:!:20000:0:99999:7:::\n', { mode: 0o600 })
    const volume = ['--volume', `${shadow}:/etc/shadow:z`]
    const su = ['-c', 'id -u']
    const unhardened = await podman(['run', '--rm', '--user', 'ai', '--entrypoint', 'su', ...volume, image, ...su])
    expect(unhardened.stdout, 'the control: su works without the entrypoint').toBe('0')
    const { stdout, exitCode } = await run([...asGuestRoot, ...volume], ['su', ...su])
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
  })

  it('keeps the working directory and is at home as ai', async () => {
    const flags = ['--volume', `${folder}:/home/ai/sandbox:z`, '--workdir', '/home/ai/sandbox', '--env', 'HOME=/root']
    const { stdout } = await run([...asGuestRoot, ...flags], ['sh', '-c', 'pwd; echo $HOME $USER $LOGNAME $SHELL'])
    expect(stdout.split('\n')).toEqual(['/home/ai/sandbox', '/home/ai ai ai /bin/bash'])
  })

  it('writes the boot id in place, though it refuses to start afterwards', async () => {
    const bootId = join(folder, 'boot-id')
    await writeFile(bootId, '')
    const { exitCode } = await run(['--user', '0', '--volume', `${bootId}:/run/paddock/boot-id:z`], ['true'])
    expect(exitCode).toBe(126)
    expect(await readFile(bootId, 'utf8')).toBe(`${await hostBootId()}\n`)
  })

  it('gives ai a pty', async () => {
    const { stdout, exitCode } = await run(asGuestRoot, ['script', '-qec', 'stat -c %G $(tty)', '/dev/null'])
    expect({ stdout: stdout.trim(), exitCode }).toEqual({ stdout: 'tty', exitCode: 0 })
  })

  it('links the standard streams in /dev where the guest has none', async () => {
    const { stdout } = await runSpoiled('rm /dev/fd /dev/std*; set -- readlink /dev/fd /dev/stdin /dev/stdout /dev/stderr')
    expect(stdout.split('\n')).toEqual(['/proc/self/fd', '/proc/self/fd/0', '/proc/self/fd/1', '/proc/self/fd/2'])
  })

  it.each([
    ['it may not mount', ['--user', '0'], 'true', '/tmp cannot be made noexec'],
    ['there is no devpts', asGuestRoot, 'umount /dev/pts', '/dev/pts cannot be set up'],
    ['it may not clear the bounding set', [...asGuestRoot, '--cap-drop', 'setpcap'], 'true', 'ai would keep privileges'],
    ['/dev cannot be written', asGuestRoot, 'rm /dev/fd; mount -o remount,bind,ro /dev', '/dev/fd cannot be linked'],
    ['the loader is told what to load', asGuestRoot, 'export LD_PRELOAD=libc.so.6', 'LD_PRELOAD'],
  ])('starts nothing when %s', async (_when, flags, spoil, reason) => {
    const { stdout, stderr, exitCode } = await runSpoiled(spoil, flags)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 126 })
    expect(stderr).toContain(`paddock-entrypoint: refusing to start: ${reason}`)
    expect(stderr.split('\n')).toHaveLength(1)
  })

  it('runs nothing of ai’s as root, whatever the environment says', async () => {
    await mkdir(join(folder, 'bin'))
    const note = '/bin/echo "$0 $(/usr/bin/id -u)" >> /home/ai/ran'
    await writeFile(join(folder, 'rc'), note)
    for (const name of ['id', 'env', 'mount', 'ln', 'setpriv', 'sh', 'printf', 'probe']) {
      await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${note}\n`, { mode: 0o755 })
    }
    const hostile = { PATH: '/home/ai/bin', ENV: '/home/ai/rc', BASH_ENV: '/home/ai/rc', IFS: '/', CDPATH: '/home/ai' }
    const flags = Object.entries({ ...hostile, 'BASH_FUNC_refuse%%': `() { ${note}; }`, LIBMOUNT_FSTAB: '/home/ai/rc' })
      .flatMap(([name, value]) => ['--env', `${name}=${value}`])
    const { exitCode } = await run([...asGuestRoot, ...flags, '--volume', `${folder}:/home/ai:z`], ['probe'])
    expect(exitCode).toBe(0)
    const { stdout } = await podman(['unshare', 'cat', join(folder, 'ran')])
    expect(stdout).toBe('/home/ai/bin/probe 1000')
  })
})

describe.each([
  ['as the root of a krun guest', asGuestRoot],
  ['as ai in a container', asAi],
])('the entrypoint %s', (_who, flags) => {
  it.each([
    [['true'], 0],
    [['sh', '-c', 'exit 3'], 3],
    [['/etc/passwd'], 126],
    [['no-such-command'], 127],
    [['-c'], 127],
  ])('ends %j with %i', async (command, expected) => {
    expect((await run(flags, command)).exitCode).toBe(expected)
  })

  it('passes arguments and the environment on as they are', async () => {
    const odd = ['', ' a  b ', '$HOME', '*', "'", '"', '\\', 'ü', 'x\ny']
    const env = ['id', 'name', 'real', 'flags', 'said'].flatMap((name) => ['--env', `${name}=kept`])
    const print = 'printf "[%s]" "$@" $id $name $real $flags $said'
    const { stdout } = await run([...flags, ...env], ['sh', '-c', print, 'sh', ...odd])
    expect(stdout).toBe([...odd, 'kept', 'kept', 'kept', 'kept', 'kept'].map((word) => `[${word}]`).join(''))
  })

  it('starts the sshd that Paddock mounts what it runs on for, as ai and without rights', async () => {
    const channel = await mountedChannel()
    const look = `until exec 3<>/dev/tcp/127.0.0.1/2222; do sleep 0.05; done 2>/dev/null; head -n 1 <&3
      for process in /proc/[0-9]*; do grep -aq '^sshd: /usr/sbin/sshd' $process/cmdline && grep -E '^(Uid|CapBnd|NoNewPrivs|SigIgn)' $process/status; done`
    const { stdout } = await run([...flags, '--userns', 'keep-id:uid=1000,gid=1000', ...channel], ['bash', '-c', look])
    const [banner, ...status] = stdout.split('\n').map((line) => line.trim())
    expect(banner).toMatch(/^SSH-2\.0-OpenSSH/)
    expect(status).toContain('Uid:\t1000\t1000\t1000\t1000')
    expect(status).toContain('CapBnd:\t0000000000000000')
    expect(status).toContain('NoNewPrivs:\t1')
    expect(status.filter((line) => line.startsWith('Uid')).every((line) => line === 'Uid:\t1000\t1000\t1000\t1000')).toBe(true)
  })

  it.each([
    ['its key is missing', (at: string) => rm(join(at, 'host_key')), [], 'its sshd ended (1)'],
    ['ai cannot read what it runs on', () => Promise.resolve(), ['--userns', 'keep-id:uid=999,gid=999'], 'its user cannot read what Paddock mounted for sshd'],
  ])('tells behind the boot id why there is no sshd: %s', async (_why, spoil, userns, told) => {
    const channel = await mountedChannel()
    await spoil(join(folder, 'channel'))
    const bootId = join(folder, 'boot-id')
    await writeFile(bootId, '', { mode: 0o666 })
    await chmod(bootId, 0o666)
    const wait = 'until [ "$(wc -l < /run/paddock/boot-id)" -ge 2 ]; do sleep 0.05; done; cat /run/paddock/boot-id'
    const users = userns.length > 0 ? userns : ['--userns', 'keep-id:uid=1000,gid=1000']
    const { stdout, exitCode } = await run([...flags.filter((flag, at) => flag !== '--userns' && flags[at - 1] !== '--userns'), ...users, ...channel, '--volume', `${bootId}:/run/paddock/boot-id:z`], ['timeout', '20', 'sh', '-c', wait])
    expect(exitCode).toBe(0)
    expect(stdout.slice(37)).toContain(told)
  })

  it('is a login shell without a command', async () => {
    const { stdout } = await run(flags, [], 'shopt -q login_shell && id -un')
    expect(stdout).toBe('ai')
  })

  it('notes the kernel’s boot id where Paddock waits for it', async () => {
    const bootId = join(folder, 'boot-id')
    await writeFile(bootId, '')
    await chmod(bootId, 0o666)
    const { stdout } = await run([...flags, '--volume', `${bootId}:/run/paddock/boot-id:z`], ['cat', '/run/paddock/boot-id'])
    expect(stdout).toBe(await hostBootId())
    expect(await readFile(bootId, 'utf8')).toBe(`${stdout}\n`)
  })
})

describe('npm-fetch', () => {
  const tarball = 'not really a tarball'
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`

  /** Runs it with an npm that packs `tarball` whatever it is asked for. */
  async function fetchPinned(pin: string) {
    const packs = `#!/bin/sh\nprintf %s '${tarball}' > "$4/packed.tgz" && echo packed.tgz\n`
    await writeFile(join(folder, 'npm'), packs, { mode: 0o755 })
    await writeFile(join(folder, 'npm-fetch'), await readFile(profile('base/npm-fetch')), { mode: 0o755 })
    const script = 'PATH=/w:$PATH npm-fetch @scope/name 1.2.3 "$1" /tmp/out && cat /tmp/out'
    return run([...asAi, '--volume', `${folder}:/w:z`], ['sh', '-c', script, 'sh', pin])
  }

  it('saves the pinned tarball', async () => {
    expect((await fetchPinned(integrity)).stdout).toBe(tarball)
  })

  it('fails on any other, naming the package, what is pinned and what came', async () => {
    const { stderr, exitCode } = await fetchPinned('sha512-other')
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`@scope/name@1.2.3 is not the pinned package: expected sha512-other, got ${integrity}`)
  })
})

describe('the profile folders', () => {
  it('have one entrypoint: a profile copies only files of its own folder, so there are two copies of it', async () => {
    expect(await readFile(profile('base/entrypoint'), 'utf8')).toBe(await readFile(profile('minimal/entrypoint'), 'utf8'))
  })

  it('pin every npm package by version and integrity, and fetch it by that pin', async () => {
    const containerfile = await readFile(profile('base/Containerfile'), 'utf8')
    const pins = [...containerfile.matchAll(/^# npm: (\S+)\nARG (\w+)_VERSION=([\d.]+)\nARG (\w+)_INTEGRITY=(\S+)$/gm)]
    expect(pins.map(([, name]) => name)).toEqual([...containerfile.matchAll(/^# npm: (\S+)$/gm)].map(([, name]) => name))
    for (const [, name, prefix, , same, integrity] of pins) {
      expect(same).toBe(prefix)
      expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/)
      expect(containerfile).toContain(`npm-fetch ${name} "$${prefix}_VERSION" "$${prefix}_INTEGRITY" `)
    }
    const fetched = [...containerfile.matchAll(/\/npm-fetch (\S+) /g)].map(([, name]) => name)
    expect(fetched.sort()).toEqual(pins.map(([, name]) => name).sort())
  })
})
