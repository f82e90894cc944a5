/**
 * Bytes on their way to a reader that it has not taken yet. Above `high` the program is paused; it goes on below `low`.
 * xterm.js parses 5 to 35 MB/s, so `high` is a few frames' worth: Ctrl-C is answered after at most that much output.
 */
const high = 256 * 1024
const low = 64 * 1024

/** Counts what is under way to several readers and pauses the source while any of them lags. */
export interface FlowControl {
  /** @returns what the reader calls with the bytes it has taken */
  addReader(): { sent: (bytes: number) => void; taken: (bytes: number) => void; close: () => void }
}

export function createFlowControl(source: { pause: () => void; resume: () => void }): FlowControl {
  const lags = new Map<symbol, number>()
  let isPaused = false
  const judge = () => {
    const lag = Math.max(0, ...lags.values())
    if (!isPaused && lag > high) {
      isPaused = true
      source.pause()
    } else if (isPaused && lag < low) {
      isPaused = false
      source.resume()
    }
  }
  return {
    addReader() {
      const reader = Symbol('reader')
      lags.set(reader, 0)
      const add = (bytes: number) => {
        const lag = lags.get(reader)
        if (lag === undefined) return
        // A reader that claims more than it got earns nothing for later.
        lags.set(reader, Math.max(0, lag + bytes))
        judge()
      }
      return {
        sent: add,
        taken: (bytes) => add(-bytes),
        close: () => {
          lags.delete(reader)
          judge()
        },
      }
    },
  }
}
