import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ssh2, { type ServerChannel, type Session as SshSession } from 'ssh2'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { PaddockError } from '../shared/errors/paddock-error.ts'
import { connect } from '../electron/core/guest/connect.ts'
import { copyFromGuest, copyToGuest } from '../electron/core/guest/copy/copy.ts'
import { type GuestChannel, guestChannel } from '../electron/core/guest/guest-channel.ts'
import { generateSshKeyPair } from '../electron/core/guest/openssh-key.ts'
import type { WayIn } from '../electron/core/guest/way-in.ts'
import { guestHostName } from '../electron/core/sandboxes/launch-keys.ts'
import type { LaunchRecord } from '../electron/core/sandboxes/launch-record.ts'
import { openGuest, startSandbox } from './fixtures/guest.ts'
import { createWorld, until, type World } from './harness.ts'

let world: World

beforeAll(async () => {
  world = createWorld('guest-attacks')
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
})
afterAll(() => world?.dispose())

/** What a guest that was taken over could put in the place of its sshd: it has the host key, and keeps to no rule beyond the login. */
interface FakeGuest {
  guest: GuestChannel
  close(): void
}

const fakes: FakeGuest[] = []
afterEach(() => fakes.splice(0).forEach((fake) => fake.close()))

async function fakeGuest(onSession: (session: SshSession) => void): Promise<GuestChannel> {
  const [host, client] = [generateSshKeyPair(), generateSshKeyPair()]
  const keys = mkdtempSync(join(world.folder, 'keys-'))
  const record = { clientKeyFile: join(keys, 'client'), knownHostsFile: join(keys, 'known-hosts') } as LaunchRecord
  writeFileSync(record.clientKeyFile, client.privateKey, { mode: 0o600 })
  writeFileSync(record.knownHostsFile, `${guestHostName} ${host.publicKey}\n`)
  const server = new ssh2.Server({ hostKeys: [host.privateKey] }, (client) => {
    client.on('authentication', (auth) => auth.accept())
    client.on('session', (accept) => onSession(accept()))
    client.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const way: WayIn = {
    sandboxId: 'f'.repeat(64),
    record,
    command: ['socat', '-', `TCP4:127.0.0.1:${(server.address() as { port: number }).port}`],
    clientKey: client.privateKey,
    hostKey: Buffer.from(host.publicKey.split(' ')[1]!, 'base64'),
    env: {},
    workdir: '/',
    patienceMs: 0,
    complaint: null,
  }
  const guest = guestChannel(way, await connect(way))
  fakes.push({ guest, close: () => (guest.close(), server.close()) })
  return guest
}

/** Answers SFTP with bytes of its own, whatever is asked. */
const answerSftp = (answer: (stream: ServerChannel, request: Buffer) => void) => (session: SshSession) => {
  // ssh2 has no public way to speak SFTP badly: the subsystem is taken as a plain program.
  session.on('subsystem' as 'exec', ((accept: () => ServerChannel, _reject: () => void, info: { name: string }) => {
    if (info.name !== 'sftp') return
    const stream = accept()
    stream.on('error', () => {})
    stream.on('data', (chunk: Buffer) => answer(stream, chunk))
  }) as never)
}

const copyInto = (guest: GuestChannel, folder: string) =>
  copyFromGuest(guest, { host: folder, guest: '/thing', cwd: '/', guarded: [], signal: new AbortController().signal, onProgress: () => {} })
function target(name: string): string {
  const folder = join(world.folder, 'host', name)
  mkdirSync(folder, { recursive: true })
  return folder
}

const packet = (type: number, body: Buffer) => {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(body.length + 1)
  head[4] = type
  return Buffer.concat([head, body])
}
const version = packet(2, Buffer.from([0, 0, 0, 3]))
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}
const text = (value: string) => Buffer.concat([u32(Buffer.byteLength(value)), Buffer.from(value)])
const attributes = (mode: number, size: bigint) => Buffer.concat([u32(0x1 | 0x4), u64(size), u32(mode)])

/** A server of whole packets: each request is answered by its type and id. */
const lyingSftp = (answers: Record<number, (id: Buffer, body: Buffer) => Buffer>) => {
  let waiting = Buffer.alloc(0)
  return answerSftp((stream, chunk) => {
    waiting = Buffer.concat([waiting, chunk])
    while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUInt32BE()) {
      const length = waiting.readUInt32BE()
      const [type, id, body] = [waiting[4]!, waiting.subarray(5, 9), waiting.subarray(9, 4 + length)]
      waiting = waiting.subarray(4 + length)
      if (type === 1) stream.write(version)
      else stream.write(answers[type]?.(Buffer.from(id), Buffer.from(body)) ?? packet(101, Buffer.concat([Buffer.from(id), u32(0), text(''), text('')])))
    }
  })
}
const [open, read, opendir, readdir, stat] = [3, 5, 11, 12, 17]
const handleReply = (id: Buffer) => packet(102, Buffer.concat([id, text('h')]))
const names = (id: Buffer, list: readonly string[], mode = 0o100644) =>
  packet(104, Buffer.concat([id, u32(list.length), ...list.flatMap((name) => [text(name), text(name), attributes(mode, 1n)])]))

describe('a guest whose SFTP', () => {
  test('speaks garbage is told of, and nothing is written', async () => {
    const guest = await fakeGuest(answerSftp((stream) => stream.write(Buffer.alloc(100_000, 'x'))))
    const folder = target('garbage')
    await expect(copyInto(guest, folder)).rejects.toBeInstanceOf(Error)
    expect(readdirSync(folder)).toEqual([])
  })

  test('says a file is larger than the disk gets none of it', async () => {
    const guest = await fakeGuest(lyingSftp({ [stat!]: (id) => packet(105, Buffer.concat([id, attributes(0o100644, 2n ** 52n)])), [open!]: handleReply }))
    const folder = target('huge')
    await expect(copyInto(guest, folder)).rejects.toMatchObject({ report: { code: 'copy-failed', message: expect.stringContaining('not enough room') } })
    expect(readdirSync(folder)).toEqual([])
  })

  test('says a file is smaller than it is gives what it said, and larger, an error', async () => {
    const dataOf = (length: number) => (id: Buffer) => packet(103, Buffer.concat([id, text('y'.repeat(length))]))
    const small = await fakeGuest(lyingSftp({ [stat!]: (id) => packet(105, Buffer.concat([id, attributes(0o104755, 3n)])), [open!]: handleReply, [read!]: dataOf(30_000) }))
    const folder = target('lies')
    await copyInto(small, folder).catch((error: unknown) => expect(error).toBeInstanceOf(PaddockError))
    if (existsSync(join(folder, 'thing'))) {
      expect(readFileSync(join(folder, 'thing'), 'utf8')).toBe('yyy')
      expect(statSync(join(folder, 'thing')).mode & 0o7777).toBe(0o755)
    }
    const ended = await fakeGuest(lyingSftp({ [stat!]: (id) => packet(105, Buffer.concat([id, attributes(0o100644, 30n)])), [open!]: handleReply, [read!]: (id) => packet(101, Buffer.concat([id, u32(1), text('eof'), text('')])) }))
    const other = target('shorter')
    await expect(copyInto(ended, other)).rejects.toMatchObject({ report: { code: 'copy-failed', message: expect.stringContaining('shorter than it was said') } })
    expect(existsSync(join(other, 'thing'))).toBe(false)
  })

  test('names files by paths, by "..", or not at all, makes none of them', async () => {
    let asked = 0
    const guest = await fakeGuest(lyingSftp({
      [stat!]: (id) => packet(105, Buffer.concat([id, attributes(0o040755, 0n)])),
      [opendir!]: handleReply,
      [readdir!]: (id) => (asked++ === 0 ? names(id, ['../escaped', '/tmp/escaped', 'a/b', '', 'x\0y']) : packet(101, Buffer.concat([id, u32(1), text('eof'), text('')]))),
    }))
    const folder = target('names')
    const report = await copyInto(guest, folder)
    expect(report.leftOut).toHaveLength(5)
    expect(readdirSync(join(folder, 'thing'))).toEqual([])
    expect(readdirSync(join(folder, '..'))).not.toContain('escaped')
  })

  test('lists without end is ended', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `f${at}`)
    const guest = await fakeGuest(lyingSftp({ [stat!]: (id) => packet(105, Buffer.concat([id, attributes(0o040755, 0n)])), [opendir!]: handleReply, [readdir!]: (id) => names(id, many) }))
    await expect(copyInto(guest, target('endless'))).rejects.toMatchObject({ report: { code: 'copy-failed', message: expect.stringContaining('entries in one folder') } })
  })

  test('never answers is given up', async () => {
    const guest = await fakeGuest(answerSftp(() => {}))
    await expect(copyInto(guest, target('silent'))).rejects.toMatchObject({ report: { code: expect.stringMatching(/copy-failed|channel-lost/) } })
  })
})

describe('a guest that is copied from in bulk, over OpenSSH’s client', () => {
  const size = 64n * 1024n * 1024n
  const attributesOf = (id: Buffer) => packet(105, Buffer.concat([id, attributes(0o100644, size)]))
  /** Reads are answered as told, on the connection that ssh2 does not make. */
  const copyOf = async (name: string, onRead: (id: Buffer, body: Buffer) => Buffer) => {
    const guest = await fakeGuest(lyingSftp({ [stat!]: attributesOf, [open!]: handleReply, [read!]: onRead }))
    const opened = vi.spyOn(guest, 'bulkSftp')
    const folder = target(name)
    const copied = await copyInto(guest, folder).catch((error: unknown) => error)
    expect(await opened.mock.results[0]?.value).not.toBeNull()
    expect(existsSync(join(folder, 'thing'))).toBe(false)
    return { copied, folder }
  }
  const wanted = (body: Buffer) => body.readUInt32BE(body.length - 4)

  test.each<[string, (id: Buffer, body: Buffer) => Buffer]>([
    ['sends more than it is asked for', (id, body) => packet(103, Buffer.concat([id, u32(wanted(body) + 1), Buffer.alloc(wanted(body) + 1)]))],
    ['lies about how long its data is', (id) => packet(103, Buffer.concat([id, u32(2 ** 32 - 1), Buffer.alloc(100)]))],
    ['sends a packet without end', () => Buffer.concat([u32(2 ** 31), Buffer.alloc(1_000)])],
    ['sends a length below nothing', () => Buffer.alloc(64, 0xff)],
    ['speaks garbage', () => Buffer.alloc(100_000, 'x')],
    ['answers with a handle', (id) => packet(102, Buffer.concat([id, text('h')]))],
    ['fails', (id) => packet(101, Buffer.concat([id, u32(4), text('no'), text('')]))],
  ])('and %s gives an error and no file', async (name, answer) => {
    const { copied, folder } = await copyOf(name, answer)
    expect(copied).toMatchObject({ report: { code: expect.stringMatching(/copy-failed|channel-lost/) } })
    expect(readdirSync(folder).every((part) => statSync(join(folder, part)).size === 0)).toBe(true)
  })

  test('and ends its file early is told of', async () => {
    const { copied } = await copyOf('early', (id) => packet(101, Buffer.concat([id, u32(1), text('eof'), text('')])))
    expect(copied).toMatchObject({ report: { message: expect.stringContaining('shorter than it was said') } })
  })

  test('and floods costs no memory', async () => {
    const before = process.memoryUsage().rss
    const unasked = packet(103, Buffer.concat([u32(7), u32(200_000), Buffer.alloc(200_000)]))
    const { copied } = await copyOf('flood', (id) => Buffer.concat([...Array.from({ length: 40 }, () => unasked), packet(101, Buffer.concat([id, u32(4), text('no'), text('')]))]))
    expect(copied).toBeInstanceOf(PaddockError)
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
  })

  test('and is copied to, takes a part and then refuses, is given up', async () => {
    const source = join(target('into'), 'source')
    writeFileSync(source, Buffer.alloc(Number(size), 'y'))
    const [write, fsetstat, lstat] = [6, 10, 7]
    let writes = 0
    const refused = (id: Buffer, code: number) => packet(101, Buffer.concat([id, u32(code), text('no'), text('')]))
    const guest = await fakeGuest(lyingSftp({ [stat!]: (id) => refused(id, 2), [lstat]: (id) => refused(id, 2), [open!]: handleReply, [write]: (id) => (++writes < 20 ? refused(id, 0) : refused(id, 4)), [fsetstat]: (id) => refused(id, 0) }))
    const copied = copyToGuest(guest, { host: source, guest: '/thing', cwd: '/', guarded: [], signal: new AbortController().signal, onProgress: () => {} })
    await expect(copied).rejects.toMatchObject({ report: { code: 'copy-failed' } })
  })
})

describe('a guest whose sshd', () => {
  test('sends more than it was asked for is cut off, and costs no memory', async () => {
    const guest = await fakeGuest((session) => session.on('exec', (accept) => {
      const stream = accept()
      stream.on('error', () => {})
      // Past the window: its own bookkeeping is set aside.
      const flood = setInterval(() => {
        ;(stream as unknown as { outgoing: { window: number } }).outgoing.window = 1 << 30
        for (let at = 0; at < 40; at++) stream.write(Buffer.alloc(32_000))
      }, 1)
      stream.once('close', () => clearInterval(flood))
      setTimeout(() => clearInterval(flood), 10_000).unref()
    }))
    const process_ = await guest.exec(['anything'])
    const before = process.memoryUsage().rss
    await expect(process_.exit).rejects.toMatchObject({ report: { code: 'channel-lost', message: expect.stringContaining('more than it was asked for') } })
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
  })

  test('says nothing about a program’s end is not waited for without end', async () => {
    const guest = await fakeGuest((session) => {
      session.on('exec', (accept) => void accept())
      session.on('signal', (accept) => accept?.())
    })
    expect(await guest.run(['anything'], { timeoutMs: 100 })).toMatchObject({ isTimedOut: true, exitCode: 137 })
  })

  test('claims an exit code or signal that there is none of is held to what there is', async () => {
    const guest = await fakeGuest((session) => session.on('exec', (accept, _reject, { command }) => {
      const stream = accept()
      if (command.includes('signal')) stream.exit('HUP', false, 'x\u001b[31m')
      else stream.exit(70_000)
      stream.end()
    }))
    expect((await guest.run(['code'])).exitCode).toBe(70_000 & 0xff)
    const signalled = await guest.exec(['signal'])
    signalled.stdout.resume()
    expect(await signalled.exit).toEqual({ exitCode: 129, signal: 'SIGHUP' })
  })
})

describe('in a real sandbox, ai', () => {
  test('that puts another program in the place of its sshd is noticed, unless that holds the host key', async () => {
    const id = await startSandbox(world, 'minimal', world.project('replaced'))
    const first = await openGuest(world, id)
    const own = 'ssh-keygen -q -t ed25519 -N "" -f /var/tmp/own; sed "s#^HostKey .*#HostKey /var/tmp/own#" /run/paddock/channel/sshd_config > /var/tmp/config'
    await first.run(['sh', '-c', own])
    await first.exec(['setsid', 'sh', '-c', 'pkill -f "^sshd: /usr/sbin/sshd -D"; sleep 0.5; exec /usr/sbin/sshd -f /var/tmp/config'])
    await until('its own sshd answers', async () => {
      const error = await openGuest(world, id).then((guest) => (guest.close(), null), (failure: PaddockError) => failure)
      return error?.report.message.includes('does not have the host key of its launch')
    })
    first.close()
    const listed = (await world.ls()).find((sandbox) => sandbox.id === id)
    expect(listed?.channelProblem).toMatch(/its sshd ended/)
    await world.podman(['rm', '--force', '--time', '0', id])
  })

  test('that ends its sshd costs the channel, not the sandbox', async () => {
    const id = await startSandbox(world, 'minimal', world.project('ended'))
    const guest = await openGuest(world, id)
    await guest.run(['pkill', '-f', 'sshd: /usr/sbin/sshd -D'])
    guest.close()
    await until('the sandbox says so', async () => (await world.ls()).find((sandbox) => sandbox.id === id)?.channelProblem?.includes('its sshd ended'))
    const { code, stderr } = await world.paddock(['exec', id, '--', 'true'])
    expect(code).toBe(125)
    expect(stderr).toMatch(/its sshd ended.*\n.*paddock run" starts anew/)
    expect((await world.paddock(['stop', id])).code).toBe(0)
  })
})
