import { setTimeout as sleep } from 'node:timers/promises'
import { programInShell, shellVariable } from '../../../shared/domain/shell-processes.ts'
import type { GuestChannel } from './guest-channel.ts'

const maxOutput = 1024 * 1024
/** Longer nobody waits for a question; and to end what does not answer would take as long again. */
const askMs = 2_000
/** Two lists with an empty line between; both are of what may go away meanwhile. */
const script = 'grep -lzxF -- "$1" /proc/[0-9]*/environ; echo; cat /proc/[0-9]*/stat; exit 0'

/**
 * What runs in a shell that was started with a mark in its environment.
 * @returns a name, empty when it is not known whether anything runs; null when nothing does
 */
export function askProgram(guest: Pick<GuestChannel, 'run'>, mark: string): Promise<string | null> {
  const stop = new AbortController()
  const unanswered = sleep(askMs, '', { signal: stop.signal }).catch(() => '')
  const answered = guest.run(['sh', '-c', script, 'sh', `${shellVariable}=${mark}`], { cwd: '/', maxOutput, timeoutMs: askMs }).then(
    ({ stdout, exitCode, isCut, isTimedOut }) => {
      if (exitCode !== 0 || isCut || isTimedOut) return ''
      const [environments = '', stats = ''] = stdout.toString().split('\n\n')
      return programInShell(environments, stats)
    },
    // Whether the shell has ended with its connection, its own end tells.
    () => '',
  )
  return Promise.race([answered, unanswered]).finally(() => stop.abort())
}
