import type { ErrorReport } from '../errors/paddock-error.ts'

/** What a sandbox's own terminal is called beside its shells. */
export const ownTerminalName = 'Terminal'

/** A shell as the window calls it. Pure, as all below. @param number null while it is not open yet */
export const shellName = (number: number | null): string => (number === null ? 'New shell' : `Shell ${number}`)

/** A shell that fails sooner than this has not been used. */
const usedAfterMs = 2_000

/**
 * Whether a shell that ended goes away by itself, as when the person left it. One whose connection broke, or that failed at
 * once, stays, so that its last words can be read.
 */
export function leavesItself(exitCode: number | null, ranMs: number): boolean {
  return exitCode === 0 || (exitCode !== null && ranMs >= usedAfterMs)
}

/** How a shell that stays came to its end. @param isRunning whether its sandbox still runs */
export function shellEndInWords(exitCode: number | null, isRunning: boolean): string {
  if (!isRunning) return 'This shell ended with its sandbox.'
  return exitCode === null ? 'This shell ended: the connection to it broke.' : `This shell ended with exit code ${exitCode}.`
}

/**
 * Why a sandbox takes no further shell, in one sentence; null when it is another failure.
 * @param channelProblem what the list of sandboxes says, the end of a sentence
 */
export function noShellInWords({ code, message }: ErrorReport, channelProblem: string | null): string | null {
  if (code !== 'channel-unavailable') return null
  return channelProblem === null ? message : `This sandbox has its first terminal only: ${channelProblem}.`
}

/** What is asked before a shell is closed in which something runs. @param program its name; empty when it has none */
export const closeQuestion = (program: string): string => `${program || 'A program'} runs in this shell and would end. Close it?`
