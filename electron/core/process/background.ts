import { spawn } from 'node:child_process'

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
