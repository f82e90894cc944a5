import type { Progress } from '../../shared/contract/contract.ts'
import type { Work } from './state.ts'

/** A build writes more than anybody reads back. */
export const maxLogLines = 2_000

export function newWork(): Work {
  return { startedAt: Date.now(), steps: [], log: [], isRunning: true, error: null }
}

/** What a work has said after one more line; a warning is told in the log. Pure. */
export function afterProgress({ steps, log }: Work, { kind, text }: Progress): Partial<Work> {
  return kind === 'step' ? { steps: [...steps, text] } : { log: [...log.slice(-(maxLogLines - 1)), text] }
}

/** A record without one key. Pure. */
export function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  const { [key]: _gone, ...others } = record
  return others
}
