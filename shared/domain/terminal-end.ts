/**
 * How a terminal came to its end, in words. Pure.
 * @param exitCode null when the terminal was lost
 */
export function endInWords(exitCode: number | null, isStillRunning: boolean, isConnected: boolean): string {
  if (exitCode !== null) return `Ended with exit code ${exitCode}`
  if (!isConnected) return 'The terminal was lost; whether the sandbox still runs is not known'
  return isStillRunning ? 'The terminal was lost, but the sandbox still runs' : 'The terminal was lost'
}

/** What ends a sandbox from outside, by the exit code that it leaves. */
const stopSignals: Readonly<Record<number, string | undefined>> = { 129: 'SIGHUP', 137: 'SIGKILL', 143: 'SIGTERM' }

/**
 * What a person reads whose terminal has left a sandbox; null after an end that they brought about in it. Pure.
 * @param id of the sandbox, while it runs on
 */
export function partingWords(id: string | null, exitCode: number): string | null {
  if (id !== null) return `Detached: sandbox ${id.slice(0, 12)} runs on. "paddock attach ${id.slice(0, 12)}" leads back.`
  const signal = stopSignals[exitCode]
  return signal === undefined ? null : `The sandbox was stopped (${signal}).`
}
