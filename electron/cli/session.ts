import { dispatch } from '../../shared/contract/dispatch.ts'
import type { CallName, Input, Output, Progress } from '../../shared/contract/contract.ts'
import { PaddockError } from '../../shared/errors/paddock-error.ts'
import type { Core } from '../core/core.ts'
import { printProgress } from './print.ts'

/** One run of the command: calls to the core, with progress on stderr and Ctrl-C as cancel. */
export interface Session {
  core: Core
  /** @throws {PaddockError} what the call answered */
  call<N extends CallName>(name: N, input: Input<N>): Promise<Output<N>>
}

export function createSession(core: Core, onProgress: (progress: Progress) => void = printProgress): Session {
  return {
    core,
    async call(name, input) {
      const abort = new AbortController()
      const cancel = () => abort.abort()
      process.on('SIGINT', cancel)
      process.on('SIGTERM', cancel)
      try {
        const reply = await dispatch(core.handlers, name, input, { signal: abort.signal, onProgress })
        if (reply.ok) return reply.value
        // Whatever broke because the person said stop is no error to explain.
        const isCancelled = abort.signal.aborted && reply.error.code !== 'cancelled'
        throw new PaddockError(isCancelled ? { code: 'cancelled', message: 'Cancelled.' } : reply.error)
      } finally {
        process.off('SIGINT', cancel)
        process.off('SIGTERM', cancel)
      }
    },
  }
}
