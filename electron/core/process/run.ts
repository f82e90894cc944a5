import type { ResultPromise } from 'execa'
import { redactCommand } from './redact.ts'
import { signalNumber } from './run-attached.ts'

/** How a child ended. A child ended by a signal or a limit never counts as success. */
export interface Ended {
  stdout: string
  stderr: string
  /** Exit code as a shell reports it: 127 when the program does not exist, 128 + N after signal N. */
  exitCode: number
  ended: 'exited' | 'signalled' | 'timed-out' | 'cancelled' | 'output-too-long' | 'not-started'
  /** For messages: secrets redacted. */
  command: string[]
}

export interface RunOptions {
  cwd?: string
  /** Added to the environment of this process. */
  env?: Record<string, string | undefined>
  timeoutMs?: number
  signal?: AbortSignal
  /** Characters of stdout or stderr after which the child is ended. */
  maxOutput?: number
  /** Called with every line of stdout and stderr, whole UTF-8 characters only. */
  onLine?: (line: string) => void
  input?: string
  /** False: output goes to `onLine` only, however much it is. Default true. */
  keepOutput?: boolean
}

/** Enough for `podman inspect` of hundreds of containers, small enough never to hurt. */
const defaultMaxOutput = 64 * 1024 * 1024
const graceMs = 3_000

/**
 * The one place where Paddock runs a program and reads its output: argv array, no shell, SIGTERM then SIGKILL at the
 * end of its time. Never throws for what the child does.
 */
export async function run(argv: readonly [string, ...string[]], options: RunOptions = {}): Promise<Ended> {
  // Loaded when first needed: a launch of a fresh image runs nothing but the sandbox, and should start at once.
  const { execa } = await import('execa')
  const [program, ...args] = argv
  const child = execa(program, args, {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(options.env && { env: options.env }),
    ...(options.timeoutMs !== undefined && { timeout: options.timeoutMs }),
    ...(options.signal && { cancelSignal: options.signal }),
    ...(options.input === undefined ? { stdin: 'ignore' as const } : { input: options.input }),
    forceKillAfterDelay: graceMs,
    maxBuffer: options.maxOutput ?? defaultMaxOutput,
    buffer: options.keepOutput ?? true,
    reject: false,
    stripFinalNewline: false,
  })
  const followed = options.onLine && followLines(child as ResultPromise, options.onLine)
  // What outlives the child may hold its output open for ever; nothing of the child's own comes that late.
  let late: NodeJS.Timeout | undefined
  child.once('exit', () => {
    late = setTimeout(() => [child.stdout, child.stderr].forEach((stream) => stream?.destroy()), graceMs)
  })
  const result = await child
  clearTimeout(late)
  await followed
  return {
    stdout: result.stdout ?? '',
    stderr: result.stderr ?? '',
    exitCode: exitCodeOf(result),
    ended: endOf(result),
    command: redactCommand(argv),
  }
}

/** What is read of execa's result, whatever its options were. */
interface Result {
  exitCode?: number | undefined
  signal?: string | undefined
  code?: string | undefined
  timedOut: boolean
  isCanceled: boolean
  isMaxBuffer: boolean
}

function endOf(result: Result): Ended['ended'] {
  if (result.timedOut) return 'timed-out'
  if (result.isCanceled) return 'cancelled'
  if (result.isMaxBuffer) return 'output-too-long'
  if (result.signal !== undefined) return 'signalled'
  return result.exitCode === undefined ? 'not-started' : 'exited'
}

/** The shell's code for a program that was found but could not be started, and for one that was not found. */
const cannotStart = 126
const notFound = 127

function exitCodeOf(result: Result): number {
  const isEnded = result.timedOut || result.isCanceled || result.isMaxBuffer
  // Who answers SIGTERM with exit code 0 has not done its work.
  if (result.exitCode === 0 && isEnded) return 128 + signalNumber('SIGTERM')
  if (result.exitCode !== undefined) return result.exitCode
  if (result.signal !== undefined) return 128 + signalNumber(result.signal)
  return result.code === 'ENOENT' ? notFound : cannotStart
}

async function followLines(child: ResultPromise, onLine: (line: string) => void): Promise<void> {
  const follow = async (from: 'stdout' | 'stderr') => {
    for await (const line of child.iterable({ from })) onLine(String(line))
  }
  // The end of the child is reported by its result; a stream that breaks with it says nothing new.
  await Promise.allSettled([follow('stdout'), follow('stderr')])
}
