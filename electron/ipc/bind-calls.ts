import type { IpcMain } from 'electron'
import * as z from 'zod/mini'
import { dispatchTo, type Reply } from '../../shared/contract/dispatch.ts'
import { type WindowCall, windowContract } from '../../shared/contract/window-contract.ts'
import type { WindowHandlers } from '../app/window-handlers.ts'
import { channels } from './channels.ts'
import { isOwnPage, type Senders } from './check-sender.ts'

const requestSchema = z.object({ name: z.string(), input: z.unknown(), callId: z.string().check(z.maxLength(64)) })
const refused: Reply<never> = { ok: false, error: { code: 'usage', message: 'This page may not call Paddock.' } }

/**
 * Answers the window's calls. Every sender is checked and every input parsed before a handler sees it.
 * @param senders which page may call what
 * @returns what cancels all that are under way
 */
export function bindCalls(ipcMain: Pick<IpcMain, 'handle' | 'on'>, handlers: WindowHandlers, senders: Senders): { cancelAll(): void } {
  const running = new Map<string, AbortController>()

  ipcMain.handle(channels.call, async (event, request: unknown): Promise<Reply<unknown>> => {
    if (!isOwnPage(event)) return refused
    const parsed = requestSchema.safeParse(request)
    if (!parsed.success) return { ok: false, error: { code: 'usage', message: 'The call is malformed.' } }
    const { name, input, callId } = parsed.data
    if (!senders.mayCall(event, name, input)) return refused
    const abort = new AbortController()
    const key = `${event.sender.id}:${callId}`
    running.set(key, abort)
    try {
      return await dispatchTo(windowContract, handlers, name as WindowCall, input as never, {
        signal: abort.signal,
        onProgress: (progress) => {
          if (!event.sender.isDestroyed()) event.sender.send(channels.progress, callId, progress)
        },
      })
    } finally {
      running.delete(key)
    }
  })

  ipcMain.on(channels.cancel, (event, callId: unknown) => {
    if (isOwnPage(event) && typeof callId === 'string') running.get(`${event.sender.id}:${callId}`)?.abort()
  })
  return {
    cancelAll() {
      for (const abort of running.values()) abort.abort()
    },
  }
}
