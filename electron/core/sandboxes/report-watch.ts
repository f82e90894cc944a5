import { type FSWatcher, watch } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** How often the report is looked at, at most: a sandbox can write without end. */
const lookAgainMs = 20
/** An entrypoint reports in its first second, unless the sandbox is slow to start or it never does. */
const denseForMs = 5_000
/** Should the kernel not tell of a write. */
const sparseMs = 500

/** Says when a file that a sandbox may write is worth another look. */
export interface ReportWatch {
  /** Settles when it is time to look again: soon after a write, and at once when the signal is aborted. */
  next(signal: AbortSignal): Promise<void>
  close(): void
}

/**
 * Looks again every 20 ms at first. A profile whose entrypoint never reports is not polled like that for days: after a
 * while the kernel tells of a write (inotify(7)), so a late report is seen as soon; where it cannot, polling goes on.
 */
export function watchReport(file: string, denseMs = denseForMs): ReportWatch {
  const denseUntil = performance.now() + denseMs
  let watcher: FSWatcher | null | undefined
  let hasChanged = false
  let wake: (() => void) | undefined
  const close = () => {
    watcher?.close()
    watcher = null
    wake?.()
  }
  const change = () => {
    hasChanged = true
    wake?.()
  }
  const begin = () => {
    try {
      watcher = watch(file, { persistent: false }, change).on('error', close)
    } catch {
      watcher = null
    }
  }
  const changed = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        wake = undefined
        resolve()
      }
      const timer = setTimeout(end, sparseMs - lookAgainMs)
      signal.addEventListener('abort', end)
      wake = end
    })
  return {
    async next(signal) {
      await sleep(lookAgainMs, undefined, { signal }).catch(() => {})
      if (signal.aborted || watcher === null || performance.now() < denseUntil) return
      // What was written before the watch began is found by one more look.
      if (watcher === undefined) return begin()
      if (!hasChanged) await changed(signal)
      hasChanged = false
    },
    close,
  }
}
