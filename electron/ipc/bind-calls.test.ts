import { EventEmitter } from 'node:events'
import type { IpcMain, IpcMainInvokeEvent } from 'electron'
import { beforeEach, describe, expect, it } from 'vitest'
import type { CallContext } from '../../shared/contract/contract.ts'
import { PaddockError } from '../../shared/errors/paddock-error.ts'
import type { WindowHandlers } from '../app/window-handlers.ts'
import { bindCalls } from './bind-calls.ts'
import { channels } from './channels.ts'
import { createSenders } from './check-sender.ts'

/** Electron's side of the bridge, as small as it can be. */
class FakeIpc extends EventEmitter {
  answer: (event: IpcMainInvokeEvent, request: unknown) => unknown = () => {}
  handle(_channel: string, listener: FakeIpc['answer']): void {
    this.answer = listener
  }
}

class FakePage {
  readonly sent: unknown[][] = []
  isGone = false
  constructor(
    readonly id: number,
    readonly url = 'paddock://app/',
  ) {}
  isDestroyed = () => this.isGone
  send = (...words: unknown[]) => this.sent.push(words)
  event = () => ({ sender: this, senderFrame: { url: this.url, parent: null } }) as unknown as IpcMainInvokeEvent
}

/** The sandbox whose desktop the page 9 shows. */
const shown = 'a'.repeat(64)

let ipc: FakeIpc
let page: FakePage
let started: { input: unknown; context: CallContext; end: (value: unknown) => void; fail: (error: unknown) => void }[]

beforeEach(() => {
  ipc = new FakeIpc()
  page = new FakePage(1)
  started = []
  const stop = (input: unknown, context: CallContext) => new Promise((end, fail) => started.push({ input, context, end, fail }))
  bindCalls(ipc as unknown as Pick<IpcMain, 'handle' | 'on'>, { 'sandbox.stop': stop, 'desktop.pause': stop } as unknown as WindowHandlers, createSenders((sender) => (sender.id === 9 ? shown : null)))
})

const ask = (request: unknown, from = page) => ipc.answer(from.event(), request)
const stop = (callId: string, from = page) => ask({ name: 'sandbox.stop', input: { ids: ['a'] }, callId }, from)
const usage = { ok: false, error: { code: 'usage' } }

describe('a page', () => {
  it.each(['profile.import', 'profile.export', 'sandbox.prepare'])('has no call %s, which takes paths', async (name) => {
    expect(await ask({ name, input: { path: '/etc', name: 'x', folder: '/tmp/x', cwd: '/', tty: false, command: [], acceptFindings: true }, callId: '1' })).toMatchObject({ ok: false, error: { code: 'usage', message: `There is no call "${name}".` } })
  })
})

describe('a call', () => {
  it('reaches its handler with its input, and is answered', async () => {
    const reply = stop('1')
    expect(started[0]!.input).toEqual({ ids: ['a'] })
    started[0]!.end(['a'])
    expect(await reply).toEqual({ ok: true, value: ['a'] })
  })

  it('that fails is answered with the error’s report', async () => {
    const reply = stop('1')
    started[0]!.fail(new PaddockError({ code: 'sandbox-running', message: 'It runs.' }))
    expect(await reply).toMatchObject({ ok: false, error: { code: 'sandbox-running', message: 'It runs.' } })
  })

  it('tells its progress to the page that asked, by its id, for as long as there is that page', async () => {
    void stop('7')
    started[0]!.context.onProgress({ kind: 'step', text: 'half' })
    page.isGone = true
    started[0]!.context.onProgress({ kind: 'step', text: 'whole' })
    expect(page.sent).toEqual([[channels.progress, '7', { kind: 'step', text: 'half' }]])
  })

  it.each([
    ['of an unknown name', { name: 'no.such', input: {}, callId: '1' }],
    ['of a name that every object has', { name: 'constructor', input: {}, callId: '1' }],
    ['with a wrong input', { name: 'sandbox.stop', input: { ids: 'all' }, callId: '1' }],
    ['without a name', { input: {}, callId: '1' }],
    ['without an id', { name: 'sandbox.stop', input: { ids: [] } }],
    ['with an id without end', { name: 'sandbox.stop', input: { ids: [] }, callId: 'x'.repeat(65) }],
    ['that is nothing', undefined],
  ])('%s is refused', async (_what, request) => {
    expect(await ask(request)).toMatchObject(usage)
    expect(started).toEqual([])
  })

  it('of another page is refused', async () => {
    expect(await stop('1', new FakePage(2, 'https://example.com/'))).toMatchObject(usage)
    expect(started).toEqual([])
  })
})

describe('the page of a desktop’s own window', () => {
  const own = new FakePage(9)
  const pause = (id: unknown) => ask({ name: 'desktop.pause', input: { id, isPaused: true }, callId: '1' }, own)

  it('makes the calls of a desktop for the sandbox that it shows', () => {
    void pause(shown)
    expect(started.map(({ input }) => input)).toEqual([{ id: shown, isPaused: true }])
  })

  it('makes them for no other, and makes no other call', async () => {
    expect(await pause('b'.repeat(64))).toMatchObject(usage)
    expect(await pause([shown])).toMatchObject(usage)
    expect(await ask({ name: 'desktop.pause', input: null, callId: '1' }, own)).toMatchObject(usage)
    expect(await ask({ name: 'sandbox.stop', input: { ids: [shown], id: shown }, callId: '1' }, own)).toMatchObject(usage)
    expect(started).toEqual([])
  })
})

describe('a cancel', () => {
  const cancel = (callId: unknown, from = page) => ipc.emit(channels.cancel, from.event(), callId)
  const isAborted = (index: number) => started[index]!.context.signal.aborted

  it('ends the call of that id and no other', () => {
    void stop('1')
    void stop('2')
    cancel('2')
    expect([isAborted(0), isAborted(1)]).toEqual([false, true])
  })

  it('ends nothing of another window, of a page that is not ours, or by a word that is no id', () => {
    void stop('1')
    cancel('1', new FakePage(2))
    cancel('1', new FakePage(1, 'https://example.com/'))
    cancel({ toString: () => '1' })
    expect(isAborted(0)).toBe(false)
  })

  it('of a call that has ended does nothing', async () => {
    const reply = stop('1')
    started[0]!.end([])
    await reply
    cancel('1')
    expect(isAborted(0)).toBe(false)
  })
})
