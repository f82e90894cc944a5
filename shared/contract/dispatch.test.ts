import { describe, expect, it, vi } from 'vitest'
import { PaddockError } from '../errors/paddock-error.ts'
import type { CallContext, CallName, Handlers } from './contract.ts'
import { dispatch } from './dispatch.ts'

const context: CallContext = { signal: new AbortController().signal, onProgress: () => {} }
const stop = (handler: unknown) => ({ 'sandbox.stop': handler }) as Handlers

describe('dispatch', () => {
  it('hands the handler the parsed input and the context, and returns its answer', async () => {
    const handler = vi.fn(async ({ ids }: { ids: string[] }) => ids)
    expect(await dispatch(stop(handler), 'sandbox.stop', { ids: ['a'], extra: 1 } as never, context)).toEqual({ ok: true, value: ['a'] })
    expect(handler).toHaveBeenCalledExactlyOnceWith({ ids: ['a'] }, context)
  })

  it.each([
    [{ ids: 'a' }, /^sandbox\.stop: ids is not valid: /],
    [{ ids: ['a', 1] }, /^sandbox\.stop: ids\.1 is not valid: /],
    [{}, /^sandbox\.stop: ids is not valid: /],
    [null, /^sandbox\.stop: input is not valid: /],
  ])('refuses the input %j and does not call the handler', async (input, message) => {
    const handler = vi.fn()
    const reply = await dispatch(stop(handler), 'sandbox.stop', input as never, context)
    expect(reply).toMatchObject({ ok: false, error: { code: 'usage', message: expect.stringMatching(message) } })
    expect(handler).not.toHaveBeenCalled()
  })

  it.each(['--all', '-f', 'localhost/other', '', 'a1'.repeat(31)])('removes nothing by the name %j: only a full id is one', async (id) => {
    const handler = vi.fn()
    const items = [{ kind: 'image' as const, id, what: '', bytes: null }]
    expect(await dispatch({ 'sandbox.prune': handler } as unknown as Handlers, 'sandbox.prune', { items }, context)).toMatchObject({ ok: false, error: { code: 'usage' } })
    expect(handler).not.toHaveBeenCalled()
  })

  it.each([
    ['rejects on purpose', () => Promise.reject(new PaddockError({ code: 'podman-failed', message: 'No.' })), { code: 'podman-failed', message: 'No.' }],
    ['throws before it is asynchronous', () => { throw new Error('oops') }, { code: 'internal' }],
    ['rejects with nothing', () => Promise.reject(undefined), { code: 'internal' }],
  ])('answers with an error when the handler %s', async (_what, handler, error) => {
    expect(await dispatch(stop(handler), 'sandbox.stop', { ids: [] }, context)).toMatchObject({ ok: false, error })
  })

  it.each(['no.such', 'toString', '__proto__', 'constructor'])('answers with an error when asked for the call %s', async (name) => {
    expect(await dispatch(stop(async () => []), name as CallName, {} as never, context)).toMatchObject({ ok: false, error: { code: 'usage' } })
  })
})
