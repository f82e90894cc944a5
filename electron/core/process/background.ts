import { spawn } from 'node:child_process'
import { signalNumber } from './run-attached.ts'

/** A program that runs beside this one until it is told to stop. */
export interface Background {
  stop(): void
  /** Settles when it has ended, for whatever reason; with false when it could not be started. */
  readonly ended: Promise<boolean>
}

/** Starts a long-running program without input or output; it is told to end when this process does. */
export function startBackground([program, ...args]: readonly [string, ...string[]], env: Record<string, string | undefined> = {}): Background {
  const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } })
  const stop = () => void child.kill('SIGTERM')
  process.once('exit', stop)
  const ended = new Promise<boolean>((resolve) => {
    child.once('exit', () => resolve(true))
    child.once('error', () => resolve(false))
  }).finally(() => process.off('exit', stop))
  return { stop, ended }
}

/**
 * Starts a program that goes on when this process and its terminal are gone.
 * @param env added to this process's environment; undefined takes a variable away
 * @throws {Error} when it cannot be started
 */
export async function startDetached([program, ...args]: readonly [string, ...string[]], env: Record<string, string | undefined> = {}): Promise<void> {
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env: { ...process.env, ...env } })
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  child.unref()
}

const maxComplaint = 2_000

/** A program without a terminal that goes on when this process is gone, but is followed until then. */
export interface Followed {
  /** Settles with its exit code as a shell reports it. Rejects when it cannot be started. */
  readonly ended: Promise<number>
  /** The end of what it wrote to stderr. */
  complaint(): string
}

/** Starts a program without input in a session of its own. @param env added to this process's environment; undefined takes a variable away */
export function startFollowed([program, ...args]: readonly [string, ...string[]], env: Record<string, string | undefined> = {}): Followed {
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } })
  let stderr = ''
  child.stderr.on('data', (piece: Buffer) => {
    stderr = (stderr + piece.toString()).slice(-maxComplaint)
  })
  child.unref()
  ;(child.stderr as unknown as { unref(): void }).unref()
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? 128 + signalNumber(signal!)))
  })
  return { ended, complaint: () => stderr.trim() }
}
