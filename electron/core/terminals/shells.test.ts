import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import ssh2, { type ServerChannel } from 'ssh2'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { maxShells, plainLayout, addPane } from '../../../shared/domain/shell-layout.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { type GuestChannel, guestChannel } from '../guest/guest-channel.ts'
import type { WayIn } from '../guest/way-in.ts'
import { createShells, type Shells } from './shells.ts'

const sandboxId = 'a'.repeat(64)
const way = { sandboxId, env: {}, workdir: '/' } as unknown as WayIn
const hostKey = ssh2.utils.generateKeyPairSync('ed25519').private
const size = { cols: 80, rows: 24 }

/** A program in the guest, from its own side. */
interface Guest {
  text: string
  channel: ServerChannel
  env: Record<string, string>
  sizes: [number, number][]
  signals: string[]
  typed: string
}

let guests: Guest[]
let server: ssh2.Server
let connection: GuestChannel
let connects: number
/** Connections that somebody asked for and has not let go. */
let held: number
let shells: Shells

beforeEach(async () => {
  guests = []
  connects = 0
  server = new ssh2.Server({ hostKeys: [hostKey] }, (login) => {
    login.on('error', () => {})
    login.on('authentication', (context) => context.accept())
    login.on('session', (accept) => {
      const guest: Omit<Guest, 'channel'> = { text: '', env: {}, sizes: [], signals: [], typed: '' }
      const session = accept()
      session.on('env', (_accept, _reject, { key, val }) => void (guest.env[key] = val))
      session.on('pty', (acceptPty, _reject, { cols, rows }) => {
        guest.sizes.push([cols, rows])
        acceptPty?.()
      })
      session.on('window-change', (_accept, _reject, { cols, rows }) => void guest.sizes.push([cols, rows]))
      session.on('signal', (_accept, _reject, { name }) => void guest.signals.push(name))
      session.on('exec', (acceptExec, _reject, { command }) => {
        const channel = acceptExec()
        channel.on('error', () => {})
        guests.push(Object.assign(guest, { channel, text: command }))
        channel.on('data', (data: Buffer) => (guest.typed += data.toString('latin1')))
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  held = 0
  shells = createShells(holding(connect))
})
afterEach(async () => {
  connection?.close()
  await connection?.closed
  server.close()
})

function holding(open: () => Promise<GuestChannel>): Parameters<typeof createShells>[0] {
  return {
    async hold() {
      const channel = await open()
      held++
      return { channel, release: () => void held-- }
    },
  }
}

async function connect(): Promise<GuestChannel> {
  connects++
  const client = new ssh2.Client()
  client.on('error', () => {})
  client.connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, username: 'ai', password: '' })
  await once(client, 'ready')
  const closed = once(client, 'close').then(() => new PaddockError({ code: 'channel-lost', message: 'It broke.' }))
  return (connection = guestChannel(way, { client, onTraffic: () => {}, waitingBytes: () => 0, closed, destroy: () => client.destroy() }))
}

async function until(what: string, look: () => boolean, timeoutMs = 10_000): Promise<void> {
  for (const end = Date.now() + timeoutMs; !look(); await sleep(5)) if (Date.now() > end) throw new Error(`It did not happen: ${what}`)
}

/** A view that takes all at once, or nothing while `isStopped`. */
function follow(terminalId: string) {
  const seen = { bytes: 0, text: '', exitCode: undefined as number | null | undefined, isStopped: false, resume: () => {} }
  let owed = 0
  const view = shells.find(terminalId)!.view({
    onReplay: ({ data }) => (seen.text += data),
    onData(data) {
      seen.bytes += data.length
      if (seen.text.length < 10_000) seen.text += Buffer.from(data).toString()
      owed += data.length
      if (!seen.isStopped) seen.resume()
    },
    onExit: (exitCode) => (seen.exitCode = exitCode),
  })
  seen.resume = () => {
    seen.isStopped = false
    view.taken(owed)
    owed = 0
  }
  return seen
}

const one = async () => {
  const name = await shells.open(sandboxId, size)
  return { ...name, guest: guests.at(-1)!, terminal: shells.find(name.terminalId)! }
}
const end = (guest: Guest, code: number) => {
  guest.channel.exit(code)
  guest.channel.end()
}

describe('a shell', () => {
  it('is a login shell with a terminal of its own size, which follows', async () => {
    const { guest, terminal } = await one()
    expect(guest.text).toContain('exec "${SHELL:-/bin/sh}" -l')
    terminal.resize(132, 50)
    await until('the size', () => guest.sizes.length === 2)
    expect(guest.sizes).toEqual([[80, 24], [132, 50]])
  })

  it('is typed into, byte for byte', async () => {
    const { guest, terminal } = await one()
    terminal.write('é\r')
    terminal.write(Buffer.from([0xff, 0x03]))
    await until('it is typed', () => guest.typed.length === 5)
    expect(Buffer.from(guest.typed, 'latin1')).toEqual(Buffer.from([0xc3, 0xa9, 0x0d, 0xff, 0x03]))
  })

  it('is drawn again for who comes later, with its exit code', async () => {
    const { guest, terminalId, terminal } = await one()
    guest.channel.write('said\r\n')
    end(guest, 3)
    expect(await terminal.ended).toBe(3)
    const seen = follow(terminalId)
    await until('the end', () => seen.exitCode !== undefined)
    expect([seen.text, seen.exitCode]).toEqual([expect.stringContaining('said'), 3])
  })

  it('shares the connection with the others, and ends alone', async () => {
    // As the channels of a process do: one connection for all.
    let shared: Promise<GuestChannel> | undefined
    shells = createShells(holding(() => (shared ??= connect())))
    const first = await one()
    const second = await one()
    end(first.guest, 0)
    await first.terminal.ended
    second.guest.channel.write('alive')
    const seen = follow(second.terminalId)
    await until('the other one', () => seen.text.includes('alive'))
    expect([connects, shells.count()]).toEqual([1, 1])
    expect(shells.list(sandboxId).shells.map(({ number }) => number)).toEqual([2])
  })

  it('holds the connection for as long as it runs, and not when it could not be started', async () => {
    const { guest, terminal } = await one()
    const other = await one()
    expect(held).toBe(2)
    end(guest, 1)
    await terminal.ended
    await until('it is let go of', () => held === 1)
    await shells.close(other.terminalId, true)
    await until('the other is, too', () => held === 0)
    connection.close()
    shells = createShells(holding(async () => connection))
    await expect(shells.open(sandboxId, size)).rejects.toMatchObject({ report: { code: 'channel-lost' } })
    expect(held).toBe(0)
  })

  it('whose connection breaks ends without an exit code, with all that had come', async () => {
    const { guest, terminalId, terminal } = await one()
    const seen = follow(terminalId)
    guest.channel.write('last words')
    await until('they have come', () => seen.text.includes('last words'))
    connection.close()
    expect(await terminal.ended).toBeNull()
    await until('the end', () => seen.exitCode === null)
    expect(shells.list(sandboxId).shells).toHaveLength(1)
    expect(terminal.write('x')).toBe(false)
    terminal.resize(10, 10)
    terminal.kill()
  })
})

describe('a flood', () => {
  const chunk = Buffer.alloc(32 * 1024, 'x')

  it('is held back at the guest while nobody takes it, and all of it comes when somebody does', async () => {
    const { guest, terminalId } = await one()
    const seen = follow(terminalId)
    let sent = 0
    const send = () => {
      while (sent < 24 * 1024 * 1024) {
        sent += chunk.length
        if (!guest.channel.write(chunk)) return void guest.channel.once('drain', send)
      }
    }
    send()
    await until('the first of it', () => seen.bytes > 8 * 1024 * 1024)
    seen.isStopped = true
    const { outgoing } = guest.channel as unknown as { outgoing: { window: number } }
    await until('the guest may send no more', () => outgoing.window === 0)
    // What has left the guest and is on no screen.
    expect(sent - guest.channel.writableLength - seen.bytes).toBeLessThanOrEqual(512 * 1024)
    expect(sent).toBeLessThan(24 * 1024 * 1024)
    seen.resume()
    await until('all of it', () => seen.bytes === sent, 20_000)
  })
})

describe('closing', () => {
  /** Answers what runs in a shell. */
  const tell = async (answer: (mark: string) => string, code = 0) => {
    const asked = guests.length
    await until('it is asked', () => guests.length > asked)
    const { text, channel } = guests.at(-1)!
    const mark = /PADDOCK_SHELL=([0-9a-f-]+)/.exec(text)![1]!
    channel.write(answer(mark))
    channel.exit(code)
    channel.end()
  }
  const stat = (pid: number, name: string) => `${pid} (${name}) S 1 ${pid} 100 34816 200 0\n`

  it('says what runs, and ends it when forced, as a terminal that is closed does', async () => {
    const { terminalId, guest, terminal } = await one()
    const closing = shells.close(terminalId, false)
    await tell((mark) => {
      expect(guest.env.PADDOCK_SHELL).toBe(mark)
      return `/proc/100/environ\n/proc/200/environ\n\n${stat(100, 'bash')}${stat(200, 'vim')}`
    })
    expect(await closing).toBe('vim')
    expect(shells.count()).toBe(1)
    expect(await shells.close(terminalId, true)).toBeNull()
    await until('it hears of it', () => guest.signals.includes('HUP'))
    end(guest, 0)
    await terminal.ended
    expect(shells.find(terminalId)).toBeUndefined()
  })

  it('ends one in which nothing runs', async () => {
    const { terminalId, guest } = await one()
    const closing = shells.close(terminalId, false)
    await tell(() => `/proc/100/environ\n\n${stat(100, 'bash')}`)
    expect(await closing).toBeNull()
    await until('it hears of it', () => guest.signals.includes('HUP'))
    expect(shells.list(sandboxId).shells).toEqual([])
  })

  it('asks when the guest cannot look', async () => {
    const { terminalId } = await one()
    const closing = shells.close(terminalId, false)
    await tell(() => '')
    expect(await closing).toBe('')
    const again = shells.close(terminalId, false)
    await tell(() => `/proc/100/environ\n\n${stat(100, 'bash')}`, 2)
    expect(await again).toBe('')
    expect(shells.count()).toBe(1)
  })

  it('asks when the guest does not answer in time', async () => {
    const { terminalId } = await one()
    expect(await shells.close(terminalId, false)).toBe('')
  })

  it('of one that is gone does nothing', async () => {
    expect(await shells.close('no such shell', false)).toBeNull()
    expect(await shells.close('constructor', true)).toBeNull()
  })
})

describe('all shells', () => {
  it('are so many in a sandbox, on their way or open, and a number that is free again is given again', async () => {
    const some = await Promise.all(Array.from({ length: maxShells }, () => shells.open(sandboxId, size)))
    await expect(shells.open(sandboxId, size)).rejects.toMatchObject({ report: { code: 'usage', hint: 'Close one of them first.' } })
    expect(some.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: maxShells }, (_, at) => at + 1))
    const third = some.find(({ number }) => number === 3)!
    await shells.close(third.terminalId, true)
    expect((await shells.open(sandboxId, size)).number).toBe(3)
  })

  it('leave no number taken when one cannot be opened', async () => {
    shells = createShells(holding(() => Promise.reject(new PaddockError({ code: 'channel-unavailable', message: 'There is none.' }))))
    for (let at = 0; at <= maxShells; at++) await expect(shells.open(sandboxId, size)).rejects.toMatchObject({ report: { code: 'channel-unavailable' } })
  })

  it('keep their arrangement while there are any', async () => {
    const { terminalId } = await one()
    const layout = addPane(plainLayout, terminalId, 'beside')
    shells.arrange(sandboxId, layout)
    shells.arrange('b'.repeat(64), layout)
    expect(shells.list(sandboxId).layout).toEqual(layout)
    expect(shells.list('b'.repeat(64)).layout).toBeNull()
    await shells.close(terminalId, true)
    expect(shells.list(sandboxId)).toEqual({ shells: [], layout: null })
  })

  it('that have ended are kept to be read, but not without end', async () => {
    for (let at = 0; at < 12; at++) {
      const { guest, terminal } = await one()
      end(guest, 9)
      await terminal.ended
    }
    await until('the oldest are forgotten', () => shells.list(sandboxId).shells.length === 10)
  })
})
