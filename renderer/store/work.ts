import type { Progress } from '../../shared/contract/contract.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'

/** A build on its way, or how it ended. */
export interface Work {
  /** Milliseconds since 1970, as `Date.now()` counts. */
  startedAt: number
  endedAt: number | null
  status: 'running' | 'cancelling' | 'failed' | 'cancelled' | 'done'
  steps: readonly string[]
  log: readonly string[]
  /** Lines of the log that are gone, because only the last `maxLogLines` are kept. */
  droppedLines: number
  warnings: readonly string[]
  error: ErrorReport | null
}

/** A build of a large image writes some thousand lines; more would only cost memory and nobody scrolls so far. */
export const maxLogLines = 5_000
/** A step has a line of its own, so a build that never ends must not fill the window with them either. */
const maxSteps = 200
/** A person reads no faster, and npm can write hundreds of lines a second. */
const flushEveryMs = 60

export function startWork(now: number): Work {
  return { startedAt: now, endedAt: null, status: 'running', steps: [], log: [], droppedLines: 0, warnings: [], error: null }
}

/** Adds what was told since the last time. Pure. */
export function addProgress(work: Work, news: readonly Progress[]): Work {
  const textsOf = (kind: Progress['kind']) => news.filter((one) => one.kind === kind).map(({ text }) => text)
  const log = [...work.log, ...textsOf('log')]
  const dropped = Math.max(0, log.length - maxLogLines)
  return {
    ...work,
    steps: [...work.steps, ...textsOf('step')].slice(-maxSteps),
    log: dropped > 0 ? log.slice(dropped) : log,
    droppedLines: work.droppedLines + dropped,
    warnings: [...work.warnings, ...textsOf('warning')].slice(-maxSteps),
  }
}

/** Ends work; what was logged stays. Pure. */
export function endWork(work: Work, now: number, error: ErrorReport | null): Work {
  const status = error === null ? 'done' : error.code === 'cancelled' || work.status === 'cancelling' ? 'cancelled' : 'failed'
  return { ...work, endedAt: now, status, error: status === 'failed' ? error : null }
}

/** Collects progress so that a flood of lines costs a few updates a second. */
export function collectProgress(deliver: (news: Progress[]) => void): { add: (progress: Progress) => void; flush: () => void } {
  let waiting: Progress[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length > 0) deliver(waiting.splice(0))
  }
  return {
    add(progress) {
      waiting.push(progress)
      // What would be dropped anyway need not wait.
      if (waiting.length > maxLogLines * 2) waiting = waiting.filter(({ kind }, at) => kind !== 'log' || at >= maxLogLines)
      timer ??= setTimeout(flush, flushEveryMs)
    },
    flush,
  }
}
