import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second for programs, whatever its own clock is. */
const tickMs = 10

/** How long processes have been on a CPU, in ms. Source: proc_pid_stat(5), utime and stime. */
export function cpuMsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    // The name before it may hold blanks and brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '').split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) * tickMs
  }, 0)
}
