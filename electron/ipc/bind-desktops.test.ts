import { EventEmitter } from 'node:events'
import type { IpcMain } from 'electron'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { PaddockError } from '../../shared/errors/paddock-error.ts'
import type { ScreenStream } from '../core/desktops/open-screen.ts'
import { bindDesktops } from './bind-desktops.ts'
import { channels } from './channels.ts'
import { createSenders } from './check-sender.ts'

/** The main process's end of a port, as small as it can be. */
class FakePort extends EventEmitter {
  readonly sent: { type: string; data?: Uint8Array; error?: unknown }[] = []
  isClosed = false
  start = () => {}
  postMessage = (message: (typeof this.sent)[number]) => void this.sent.push(message)
  close = () => {
    if (this.isClosed) return
    this.isClosed = true
    this.emit('close')
  }
  say = (data: unknown) => this.emit('message', { data })
}

const sandbox = 'a'.repeat(64)
const other = 'b'.repeat(64)
/** The page that is the own window of one desktop. */
const ownWindow = 9

let ipc: EventEmitter
let screens: { id: string; onData: (data: Uint8Array) => void; signal: AbortSignal; arrive: (screen: ScreenStream) => void; fail: (error: unknown) => void }[]

beforeEach(() => {
  ipc = new EventEmitter()
  screens = []
  const open = (id: string, onData: (data: Uint8Array) => void, signal: AbortSignal) => new Promise<ScreenStream>((arrive, fail) => screens.push({ id, onData, signal, arrive, fail }))
  bindDesktops(ipc as unknown as Pick<IpcMain, 'on'>, open, createSenders(({ id }) => (id === ownWindow ? sandbox : null)))
})

function ask(id: unknown, { from = 1, url = 'paddock://app/' } = {}): FakePort {
  const port = new FakePort()
  ipc.emit(channels.desktop, { sender: { id: from }, senderFrame: { url, parent: null }, ports: [port] }, id)
  return port
}

function fakeScreen() {
  let end: (reason: PaddockError | null) => void = () => {}
  const closed = new Promise<PaddockError | null>((resolve) => (end = resolve))
  return { write: vi.fn(), taken: vi.fn(), close: vi.fn(), closed, end }
}

async function openScreen(port: FakePort) {
  const screen = fakeScreen()
  screens.at(-1)!.arrive(screen)
  await vi.waitFor(() => expect(port.sent[0]).toEqual({ type: 'open' }))
  port.sent.length = 0
  return { screen, onData: screens.at(-1)!.onData }
}

describe('a port for a desktop', () => {
  it.each([['no id', 'x'], ['nothing', undefined], ['a path', '../etc']])('is not given for %s', (_what, id) => {
    expect(ask(id).isClosed).toBe(true)
    expect(screens).toEqual([])
  })

  it('is given to another desktop’s own window for that desktop only, and to no other page', () => {
    expect(ask(other, { from: ownWindow }).isClosed).toBe(true)
    expect(ask(sandbox, { url: 'https://example.org/' }).isClosed).toBe(true)
    expect(screens).toEqual([])
    ask(sandbox, { from: ownWindow })
    expect(screens.map(({ id }) => id)).toEqual([sandbox])
  })

  it('is given 32 times at once, and again after one was closed', () => {
    const ports = Array.from({ length: 32 }, () => ask(sandbox))
    const refused = ask(sandbox)
    expect(refused.isClosed).toBe(true)
    expect(refused.sent).toEqual([{ type: 'closed', error: expect.objectContaining({ code: 'desktop-unavailable' }) }])
    ports[0]!.close()
    expect(ask(sandbox).isClosed).toBe(false)
  })
})

describe('what a desktop sends', () => {
  it('crosses as one message where it comes at once, in order and without the buffer it lay in', async () => {
    const port = ask(sandbox)
    const { onData } = await openScreen(port)
    const buffer = Uint8Array.from({ length: 1_000 }, (_, at) => at % 251)
    onData(buffer.subarray(0, 3))
    onData(buffer.subarray(3, 5))
    expect(port.sent).toEqual([])
    await vi.waitFor(() => expect(port.sent).toHaveLength(1))
    expect(port.sent[0]).toEqual({ type: 'data', data: buffer.slice(0, 5) })
    expect(port.sent[0]!.data!.buffer.byteLength).toBe(5)
    onData(buffer.subarray(5, 6))
    await vi.waitFor(() => expect(port.sent).toHaveLength(2))
    expect(port.sent[1]!.data).toEqual(buffer.slice(5, 6))
  })

  it('follows the word that it is open, also where the server spoke sooner', async () => {
    const port = ask(sandbox)
    screens[0]!.onData(Uint8Array.of(1))
    screens[0]!.onData(Uint8Array.of(2))
    screens[0]!.arrive(fakeScreen())
    await vi.waitFor(() => expect(port.sent).toEqual([{ type: 'open' }, { type: 'data', data: Uint8Array.of(1, 2) }]))
  })

  it('is all there before the word that it has ended, and why', async () => {
    const port = ask(sandbox)
    const { screen, onData } = await openScreen(port)
    onData(Uint8Array.of(7))
    screen.end(new PaddockError({ code: 'channel-lost', message: 'Gone.' }))
    await vi.waitFor(() => expect(port.sent).toEqual([{ type: 'data', data: Uint8Array.of(7) }, { type: 'closed', error: expect.objectContaining({ code: 'channel-lost', message: 'Gone.' }) }]))
  })

  it('is told where it cannot be had', async () => {
    const port = ask(sandbox)
    screens[0]!.fail(new PaddockError({ code: 'desktop-unavailable', message: 'None.' }))
    await vi.waitFor(() => expect(port.sent).toEqual([{ type: 'closed', error: expect.objectContaining({ code: 'desktop-unavailable' }) }]))
  })
})

describe('what a page says to a desktop', () => {
  it('reaches it as bytes and as what was taken; all else is left', async () => {
    const port = ask(sandbox)
    const { screen } = await openScreen(port)
    port.say({ type: 'data', data: Uint8Array.of(1) })
    port.say({ type: 'taken', bytes: 5 })
    for (const odd of [null, 'data', { type: 'data', data: 'text' }, { type: 'data', data: new Uint8Array(4 * 1024 * 1024 + 1) }, { type: 'taken', bytes: -1 }, { type: 'taken', bytes: 0.5 }]) port.say(odd)
    expect(screen.write.mock.calls).toEqual([[Uint8Array.of(1)]])
    expect(screen.taken.mock.calls).toEqual([[5]])
  })

  it('closes the connection with the page, also one that comes late', async () => {
    const port = ask(sandbox)
    const { screen } = await openScreen(port)
    port.close()
    expect(screen.close).toHaveBeenCalled()
    const late = ask(sandbox)
    late.close()
    expect(screens.at(-1)!.signal.aborted).toBe(true)
    const comesLate = fakeScreen()
    screens.at(-1)!.arrive(comesLate)
    await vi.waitFor(() => expect(comesLate.close).toHaveBeenCalled())
    expect(late.sent).toEqual([])
  })
})
