import type { Progress } from '../../shared/contract/contract.ts'
import type { TerminalDown, TerminalUp, WindowCall, WindowEvent, WindowInput, WindowOutput } from '../../shared/contract/window-contract.ts'
import { type ErrorReport, PaddockError, toErrorReport } from '../../shared/errors/paddock-error.ts'
import type { Api } from '../api/api.ts'

export interface FakeContext {
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}
export type FakeHandlers = { [N in WindowCall]?: (input: WindowInput<N>, context: FakeContext) => WindowOutput<N> | Promise<WindowOutput<N>> }

/** A main process that answers from a table; a call that it does not know fails as `internal`. */
export interface FakeApi extends Api {
  /** All calls so far, in order; `(listen)` is the moment in which the window subscribed. */
  readonly calls: string[]
  readonly inputs: [WindowCall, unknown][]
  readonly sent: TerminalUp[]
  emit(event: WindowEvent): void
  toTerminal(terminalId: string, message: TerminalDown): void
}

export function createFakeApi(handlers: FakeHandlers, onTerminal: (terminalId: string, say: (message: TerminalDown) => void) => void = () => {}): FakeApi {
  const listeners = new Set<(event: WindowEvent) => void>()
  const screens = new Map<string, (message: TerminalDown) => void>()
  const api: FakeApi = {
    calls: [],
    inputs: [],
    sent: [],
    async call(name, input, { onProgress = () => {}, signal = new AbortController().signal } = {}) {
      api.calls.push(name)
      api.inputs.push([name, input])
      try {
        const handler = handlers[name] as ((input: unknown, context: FakeContext) => unknown) | undefined
        if (!handler) throw new PaddockError({ code: 'internal', message: `Nobody answers ${name}.` })
        return { ok: true, value: (await handler(input, { onProgress, signal })) as never }
      } catch (error) {
        return { ok: false, error: toErrorReport(error) }
      }
    },
    onEvent(listener) {
      api.calls.push('(listen)')
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    openTerminal(terminalId, onMessage) {
      screens.set(terminalId, onMessage)
      setTimeout(() => onTerminal(terminalId, onMessage))
      return { send: (message) => api.sent.push(message), close: () => screens.delete(terminalId) }
    },
    pathOf: (file) => `/dropped/${file.name}`,
    emit: (event) => listeners.forEach((listener) => listener(event)),
    toTerminal: (terminalId, message) => screens.get(terminalId)?.(message),
  }
  return api
}

/** What a handler throws to fail as the main process would. */
export const failure = (report: ErrorReport) => new PaddockError(report)
