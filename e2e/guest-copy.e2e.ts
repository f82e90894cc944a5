import { createHash } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGuest, startSandbox } from './fixtures/guest.ts'
import { createWorld, exec, until, type World } from './harness.ts'

let world: World
let project: string
let id: string
let short: string

beforeAll(async () => {
  world = createWorld('guest-copy')
  project = world.project()
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
  id = await startSandbox(world, 'minimal', project)
  short = id.slice(0, 12)
})
afterAll(() => world?.dispose())

const shIn = (script: string) => world.paddock(['exec', short, '--', 'sh', '-c', script])
const hash = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
/** A folder of the test's own on this machine that no sandbox can write. */
function hostFolder(name: string): string {
  const folder = join(world.folder, 'host', name)
  mkdirSync(folder, { recursive: true })
  return folder
}

describe('paddock cp', () => {
  const cp = (...args: string[]) => world.paddock(['cp', ...args])

  test('a file of 200 MB both ways, with its mode and time', async () => {
    const folder = hostFolder('large')
    const large = join(folder, 'large')
    const piece = Buffer.from(Array.from({ length: 1 << 20 }, (_, at) => (at * 31 + (at >> 7)) % 256))
    writeFileSync(large, Buffer.concat(Array.from({ length: 200 }, (_, at) => Buffer.concat([Buffer.from([at]), piece.subarray(1)]))), { mode: 0o640 })
    utimesSync(large, 1_600_000_000, 1_600_000_000)
    const up = await cp(large, `${short}:/var/tmp/large`)
    expect(up.code, up.stderr).toBe(0)
    expect((await shIn('sha256sum < /var/tmp/large; stat -c "%a %Y" /var/tmp/large')).stdout).toBe(`${hash(large)}  -\n640 1600000000\n`)
    const down = await cp(`${short}:/var/tmp/large`, join(folder, 'back'))
    expect(down.code, down.stderr).toBe(0)
    expect(hash(join(folder, 'back'))).toBe(hash(large))
    expect(statSync(join(folder, 'back'))).toMatchObject({ mode: 0o100640, mtimeMs: 1_600_000_000_000 })
    expect(readdirSync(folder).sort()).toEqual(['back', 'large'])
    await shIn('rm /var/tmp/large')
  })

  test('1,000 small files both ways, with folders, modes and times', async () => {
    const folder = hostFolder('many')
    const source = join(folder, 'source')
    for (let at = 0; at < 1_000; at++) {
      const file = join(source, `deep-${at % 10}`, `er-${at % 3}`, `file ${at} ü`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `content ${at}`, { mode: at % 2 ? 0o600 : 0o755 })
      utimesSync(file, 1_500_000_000 + at, 1_500_000_000 + at)
    }
    symlinkSync('../deep-1/er-1', join(source, 'deep-0', 'inner'))
    utimesSync(join(source, 'deep-5'), 1_400_000_000, 1_400_000_000)
    chmodSync(join(source, 'deep-5'), 0o750)
    const up = await cp(source, `${short}:/var/tmp/`)
    expect(up.code, up.stderr).toBe(0)
    const down = await cp(`${short}:/var/tmp/source`, join(folder, 'back'))
    expect(down.code, down.stderr).toBe(0)
    const { stdout, code } = await exec(['diff', '-r', '--no-dereference', source, join(folder, 'back')])
    expect({ stdout, code }).toEqual({ stdout: '', code: 0 })
    const look = (at: string) => exec(['find', at, '-printf', '%P %m %Ts %l\n'])
    const lines = (text: string) => text.split('\n').filter((line) => !line.startsWith(' ') && !/^deep-0\/inner /.test(line)).sort()
    expect(lines((await look(join(folder, 'back'))).stdout)).toEqual(lines((await look(source)).stdout))
    await shIn('rm -r /var/tmp/source')
  })

  test('names things as cp does', async () => {
    const folder = hostFolder('names')
    await shIn('mkdir -p /var/tmp/n/sub; echo one > /var/tmp/n/one; echo two > /var/tmp/n/sub/two')
    expect((await cp(`${short}:/var/tmp/n/one`, folder)).code).toBe(0)
    expect((await cp(`${short}:/var/tmp/n`, folder)).code).toBe(0)
    expect((await cp(`${short}:/var/tmp/n`, join(folder, 'new'))).code).toBe(0)
    expect((await cp(`${short}:/var/tmp/n/.`, join(folder, 'new', 'sub'))).code).toBe(0)
    expect((await exec(['find', folder, '-type', 'f', '-printf', '%P\n'])).stdout.trim().split('\n').sort()).toEqual(['n/one', 'n/sub/two', 'new/one', 'new/sub/one', 'new/sub/sub/two', 'new/sub/two', 'one'])
    expect(await cp(`${short}:/var/tmp/none`, folder)).toMatchObject({ code: 125, stderr: expect.stringMatching(/\/var\/tmp\/none in the sandbox cannot be read/) })
    expect((await cp(join(folder, 'one'), `${short}:made-here`)).code).toBe(0)
    expect(readFileSync(join(project, 'made-here'), 'utf8')).toBe('one\n')
    await shIn('rm -r /var/tmp/n')
  })

  test('puts no folder in the place of a file, and says so once', async () => {
    const source = join(hostFolder('in-the-way'), 'tree')
    mkdirSync(join(source, 'sub'), { recursive: true })
    for (const file of ['one', 'two', 'sub/three', 'sub/four']) writeFileSync(join(source, file), file)
    await shIn('mkdir -p /var/tmp/w/in /var/tmp/w/tree; echo kept > /var/tmp/w/file; echo kept > /var/tmp/w/in/tree; echo kept > /var/tmp/w/tree/sub')
    for (const target of ['/var/tmp/w/file', '/var/tmp/w/in']) {
      const { code, stderr } = await cp(source, `${short}:${target}`)
      expect({ code, stderr }).toEqual({ code: 125, stderr: expect.stringMatching(/^paddock: The folder \S+ cannot be made in the sandbox: there is a file of that name\.\n.*\n$/) })
    }
    // Further down it is left out, and the rest is copied.
    const deeper = await cp(source, `${short}:/var/tmp/w`)
    expect(deeper).toMatchObject({ code: 1, stderr: `note: ${join(source, 'sub')} was left out: there is a file of that name.\n` })
    expect((await shIn('cd /var/tmp/w; cat file in/tree tree/sub; ls -A tree; rm -r /var/tmp/w')).stdout).toBe('kept\nkept\nkept\none\nsub\ntwo\n')
  })

  test('says what the sandbox has no room for, and leaves nothing of it', async () => {
    const large = join(hostFolder('no-room'), 'large')
    writeFileSync(large, Buffer.alloc(3_000_000, 'x'))
    await shIn('fallocate -l $(($(df --output=avail -B1 /tmp | tail -1) - 1000000)) /tmp/fill')
    const { code, stderr } = await cp(large, `${short}:/tmp/large`)
    expect(code).toBe(125)
    expect(stderr).toMatch(/There is not enough room in the sandbox: \S+ has 3000000 bytes, and \d+ are free\./)
    expect((await shIn('ls -A /tmp; rm /tmp/fill')).stdout).toBe('fill\n')
    expect(await cp(large, `${short}:/usr/large`)).toMatchObject({ code: 125, stderr: expect.stringContaining('/usr can only be read in the sandbox') })
  })

  test('goes on where it was interrupted', async () => {
    const folder = hostFolder('resumed')
    await shIn('head -c 150000000 /dev/urandom > /var/tmp/long')
    const target = join(folder, 'long')
    const part = () => readdirSync(folder).find((entry) => entry.endsWith('.part'))
    const first = world.paddock(['cp', `${short}:/var/tmp/long`, target], {
      onStarted: (pid) => void until('a part is there', () => {
        const entry = part()
        return entry !== undefined && statSync(join(folder, entry)).size > 10_000_000
      }).then(() => process.kill(pid, 'SIGINT')),
    })
    expect(await first).toMatchObject({ code: 130, stderr: expect.stringContaining('goes on where this one stopped') })
    const kept = part()
    expect(kept).toBeDefined()
    const size = statSync(join(folder, kept!)).size
    expect(size).toBeLessThan(150_000_000)
    expect(existsSync(target)).toBe(false)
    const { ino } = statSync(join(folder, kept!))
    const second = await cp('--json', `${short}:/var/tmp/long`, target)
    expect(second.code, second.stderr).toBe(0)
    expect(statSync(target).ino).toBe(ino)
    expect((await shIn('sha256sum < /var/tmp/long; rm /var/tmp/long')).stdout).toBe(`${hash(target)}  -\n`)
    expect(readdirSync(folder)).toEqual(['long'])
  })

  test('takes no link out of a folder of the guest that leads elsewhere, and keeps those inside', async () => {
    const folder = hostFolder('links-out')
    await shIn('mkdir -p /var/tmp/l/d; cd /var/tmp/l; ln -s /etc/passwd absolute; ln -s ../../../../etc/passwd up; ln -s d/../../x through; ln -s d inside; echo x > d/x; ln -s ../d/x d/own; mkfifo pipe; printf x > "$(printf "a\\\\bc")"')
    const { code, stderr } = await cp(`${short}:/var/tmp/l`, folder)
    expect(code).toBe(1)
    for (const name of ['absolute', 'up', 'through']) expect(stderr).toContain(`/var/tmp/l/${name} was left out: it is a link that leads out`)
    expect(stderr).toContain('/var/tmp/l/pipe was left out')
    expect(readdirSync(join(folder, 'l')).sort()).toEqual(['a\bc', 'd', 'inside'].sort())
    expect(readFileSync(join(folder, 'l/inside/own'), 'utf8')).toBe('x\n')
    await shIn('rm -r /var/tmp/l')
  })

  test('follows no link that lies in the target', async () => {
    const folder = hostFolder('links-in-target')
    const outside = hostFolder('outside')
    writeFileSync(join(outside, 'file'), 'untouched')
    mkdirSync(join(folder, 'l'))
    symlinkSync(join(outside, 'file'), join(folder, 'l/file'))
    symlinkSync(outside, join(folder, 'l/sub'))
    await shIn('mkdir -p /var/tmp/l/sub; cd /var/tmp/l; echo new > file; echo new > sub/planted')
    const { code, stderr } = await cp(`${short}:/var/tmp/l`, folder)
    expect(code).toBe(125)
    expect(stderr).toMatch(/The folder sub cannot be made: there is a link/)
    expect(lstatSync(join(folder, 'l/file')).isFile()).toBe(true)
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('untouched')
    expect(readdirSync(outside)).toEqual(['file'])
    await shIn('rm -r /var/tmp/l')
  })

  test('follows no link that a sandbox put on the way, in its project', async () => {
    const outside = hostFolder('secret')
    writeFileSync(join(outside, 'key'), 'secret')
    symlinkSync(outside, join(project, 'trap'))
    symlinkSync(join(outside, 'key'), join(project, 'key'))
    await shIn('echo new > /var/tmp/one')
    for (const args of [[`${short}:/var/tmp/one`, join(project, 'trap/')], [`${short}:/var/tmp/one`, join(project, 'trap', 'key')], [join(project, 'trap', 'key'), `${short}:/var/tmp/x`], [join(project, 'key'), `${short}:/var/tmp/x`]]) {
      const { code, stderr } = await cp(...args)
      expect(code, args.join(' ')).toBe(125)
      expect(stderr).toMatch(/is a link, and a sandbox can write there/)
    }
    expect((await shIn('cat /var/tmp/x')).code).toBe(1)
    // A folder with such links in it goes without them.
    const { code, stderr } = await cp(project, `${short}:/var/tmp/p`)
    expect(code, stderr).toBe(1)
    expect(stderr).toContain('key was left out')
    expect((await shIn('ls /var/tmp/p; rm -r /var/tmp/p')).stdout).not.toMatch(/key|trap/)
    expect(readdirSync(outside)).toEqual(['key'])
    rmSync(join(project, 'trap'))
    rmSync(join(project, 'key'))
  })

  test('writes nowhere else when a folder is swapped for a link all the while', async () => {
    const outside = hostFolder('swapped-outside')
    const target = join(project, 'swapped')
    mkdirSync(join(target, 'tree'), { recursive: true })
    await shIn('mkdir -p /var/tmp/tree/a/b; cd /var/tmp/tree; for i in $(seq 200); do echo $i > a/f$i; echo $i > a/b/f$i; done')
    const attack = await openGuest(world, id)
    const swapper = await attack.exec(['sh', '-c', `cd swapped/tree; while :; do mv a a.real 2>/dev/null; ln -s ${outside} a 2>/dev/null; rm -f a 2>/dev/null; mv a.real a 2>/dev/null; mkdir -p a/b; done`])
    try {
      for (let round = 0; round < 5; round++) await cp(`${short}:/var/tmp/tree`, target)
      expect(readdirSync(outside)).toEqual([])
    } finally {
      await swapper.end()
      attack.close()
    }
    await shIn('rm -rf /var/tmp/tree swapped')
  })
})
