import type { Progress } from '../../shared/contract/contract.ts'
import type { Reply } from '../../shared/contract/dispatch.ts'
import type { TerminalDown, WindowEvent } from '../../shared/contract/window-contract.ts'
import type { Api } from './api.ts'

/** What the preload script puts into the page. */
interface Preload {
  call(name: string, input: unknown, callId: string, onProgress?: (progress: Progress) => void): Promise<unknown>
  cancel(callId: string): void
  onEvent(listener: (event: WindowEvent) => void): () => void
  pathOf(file: File): string
}

declare global {
  interface Window {
    paddock: Preload
  }
}

/** Must be the name that the preload script listens for. */
const terminalMessage = 'paddock:terminal'

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
    openTerminal(terminalId, onMessage) {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => onMessage(data as TerminalDown)
      window.postMessage({ type: terminalMessage, terminalId }, '*', [port2])
      return { send: (message) => port1.postMessage(message), close: () => port1.close() }
    },
    pathOf: (file) => paddock.pathOf(file),
  }
}
