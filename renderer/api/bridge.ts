import type { Progress } from '../../shared/contract/contract.ts'
import type { Reply } from '../../shared/contract/dispatch.ts'
import type { Offer } from '../../shared/contract/panel-contract.ts'
import type { WindowEvent } from '../../shared/contract/window-contract.ts'
import type { Api } from './api.ts'
import { createTerminalStreams } from './terminal-streams.ts'

/** What the preload script puts into the page. */
interface Preload {
  call(name: string, input: unknown, callId: string, onProgress?: (progress: Progress) => void): Promise<unknown>
  cancel(callId: string): void
  onEvent(listener: (event: WindowEvent) => void): () => void
  offerFiles(files: readonly File[]): Promise<unknown>
  pathOf(file: File): string
}

declare global {
  interface Window {
    paddock: Preload
  }
}

/** Must be the names that the preload script listens for. */
const streamMessages = { terminal: 'paddock:terminal', desktop: 'paddock:desktop' } as const

/** Hands one end of a channel to the main process. */
function openPort<Down, Up>(message: { type: string } & Record<string, string>, onMessage: (message: Down) => void): { send(message: Up): void; close(): void } {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }) => onMessage(data as Down)
  window.postMessage(message, '*', [port2])
  return { send: (up) => port1.postMessage(up), close: () => port1.close() }
}

/** The real way to the main process. */
export function createBridge(): Api {
  const { paddock } = window
  return {
    async call(name, input, { onProgress, signal } = {}) {
      const callId = crypto.randomUUID()
      const cancel = () => paddock.cancel(callId)
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        return (await paddock.call(name, input, callId, onProgress)) as never
      } catch (error) {
        const reply: Reply<never> = { ok: false, error: { code: 'internal', message: `The main process did not answer: ${(error as Error).message}` } }
        return reply
      } finally {
        signal?.removeEventListener('abort', cancel)
      }
    },
    onEvent: (listener) => paddock.onEvent(listener),
    ...createTerminalStreams((terminalId, onMessage) => openPort({ type: streamMessages.terminal, terminalId }, onMessage)),
    openDesktop: (sandboxId, onMessage) => openPort({ type: streamMessages.desktop, sandboxId }, onMessage),
    offerFiles: (files) => paddock.offerFiles(files).then((offer) => offer as Offer | null, () => null),
    pathOf: (file) => paddock.pathOf(file),
  }
}
