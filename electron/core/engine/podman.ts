import * as z from 'zod/mini'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { type Ended, run, type RunOptions } from '../process/run.ts'
import type { PodmanApi } from './api.ts'
import { hintFor } from './hints.ts'
import { hasLostProcesses, recoverPodman } from './recovery.ts'

/** Podman as Paddock uses it: one command a call, every reply parsed by a schema. */
export interface Podman {
  path: string
  /** Podman's socket, for as long as its events are followed there; lists and inspections ask it then. */
  api: PodmanApi | null
  /** The whole command line for a Podman call that somebody else will run, e.g. in a terminal. */
  command(args: readonly string[]): [string, ...string[]]
  /** Runs Podman and reports how it ended. @throws {PaddockError} `podman-missing` */
  try(args: readonly string[], options?: RunOptions): Promise<Ended>
  /** Runs Podman, which has to succeed. @throws {PaddockError} `podman-missing`, `podman-failed`, `cancelled` */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>
}

/** A query that takes longer than this hangs, e.g. on storage that another process has locked. */
const queryTimeoutMs = 60_000

/** What every Podman that Paddock starts gets on top of this process's environment. */
export const podmanEnvironment: Record<string, string | undefined> = {
  // Said on every start otherwise; doctor says it once and what follows from it.
  PODMAN_IGNORE_CGROUPSV1_WARNING: '1',
  // Paddock mounts folders of this machine and measures its kernel: a remote Podman would be another machine.
  CONTAINER_HOST: undefined,
  CONTAINER_CONNECTION: undefined,
}

/** What the Podman that starts a sandbox gets: it collects garbage a few times before the prompt, a tenth of the time until then. */
export const launchEnvironment: typeof podmanEnvironment = { ...podmanEnvironment, GOGC: process.env.GOGC ?? '400' }

/** Podman at a path, or by a name on the search path. Nothing is started until a call. */
export function createPodman(path: string): Podman {
  const attempt: Podman['try'] = async (args, options = {}) => {
    const env = { ...podmanEnvironment, ...options.env }
    const ask = () => run([path, ...args], { timeoutMs: queryTimeoutMs, ...options, env })
    const ended = await ask()
    if (ended.ended === 'not-started') throw podmanMissing(path)
    if (!hasLostProcesses(ended)) return ended
    await recoverPodman(path, env)
    return ask()
  }
  return {
    path,
    api: null,
    command: (args) => [path, ...args],
    try: attempt,
    async run(args, options) {
      const ended = await attempt(args, options)
      if (ended.ended === 'exited' && ended.exitCode === 0) return ended
      throw podmanFailed(ended)
    },
  }
}

/** The error for a Podman that cannot be started, `podman-missing`. */
export function podmanMissing(path: string): PaddockError {
  return new PaddockError({
    code: 'podman-missing',
    message: `Podman cannot be started: ${path} was not found or is not executable.`,
    hint: 'Install Podman 5 or later, or run "npm run host" in a checkout of Paddock.',
  })
}

const tailLength = 2_000

/** The error for a Podman call that failed, with the end of its stderr and, where the text is known, what to do. */
export function podmanFailed(ended: Ended): PaddockError {
  const stderrTail = ended.stderr.slice(-tailLength).trim()
  const last = stderrTail.split('\n').at(-1)?.replace(/^Error: /, '')
  if (ended.ended === 'cancelled') return new PaddockError({ code: 'cancelled', message: 'Cancelled.', command: ended.command })
  const why = ended.ended === 'timed-out' ? 'it did not answer in time' : last || `exit code ${ended.exitCode}`
  return new PaddockError({
    code: 'podman-failed',
    message: `Podman failed: ${why}.`.replace(/\.\.$/, '.'),
    hint: hintFor(ended.exitCode, ended.stderr),
    command: ended.command,
    exitCode: ended.exitCode,
    stderrTail,
  })
}

/**
 * Parses what Podman printed.
 * @throws {PaddockError} `podman-failed` when it is not what the schema expects
 */
export function parseReply<T extends z.ZodMiniType>(schema: T, ended: Ended): z.infer<T> {
  try {
    return schema.parse(JSON.parse(ended.stdout || 'null'))
  } catch (cause) {
    const report = {
      code: 'podman-failed' as const,
      message: `Podman answered something that Paddock does not understand: ${(cause as Error).message.slice(0, 200)}.`,
      hint: 'Run "paddock doctor"; Podman 5 or later is needed.',
      command: ended.command,
      exitCode: ended.exitCode,
      stderrTail: ended.stderr.slice(-tailLength),
    }
    throw new PaddockError(report, { cause })
  }
}
