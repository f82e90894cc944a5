import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** What happens beside a child that has this process's terminal. */
export interface AttachedOptions {
  /** Added to the environment of this process; undefined takes a variable away. */
  env?: Record<string, string | undefined>
  /** Called once the child was started, with its pid. */
  onStarted?: (pid: number) => void
  /** Called when this process alone was told to end; the signal is passed on, and the child may ignore it. */
  onToldToEnd?: () => void
}

/** Sent by a terminal to the whole foreground group, the child included; this process only has to outlive it. */
const terminalSignals = ['SIGINT', 'SIGQUIT'] as const
/** Sent to this process alone, so they must be passed on. */
const forwardedSignals = ['SIGTERM', 'SIGHUP'] as const

/**
 * Runs a program with this process's own stdin, stdout and stderr, byte for byte, and waits for it.
 * @returns its exit code as a shell reports it (128 + N after signal N)
 * @throws {Error} when it cannot be started
 */
export function runAttached(argv: readonly [string, ...string[]], options: AttachedOptions = {}): Promise<number> {
  const [program, ...args] = argv
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...options.env } })
    const handlers = [
      ...terminalSignals.map((name) => [name, () => {}] as const),
      ...forwardedSignals.map((name) => {
        const passOn = () => {
          child.kill(name)
          options.onToldToEnd?.()
        }
        return [name, passOn] as const
      }),
    ]
    for (const [name, handler] of handlers) process.on(name, handler)
    const release = () => {
      for (const [name, handler] of handlers) process.off(name, handler)
    }
    child.once('spawn', () => options.onStarted?.(child.pid!))
    child.once('error', (error) => {
      release()
      reject(error)
    })
    child.once('exit', (code, signal) => {
      release()
      resolve(code ?? 128 + signalNumber(signal!))
    })
  })
}

/** Number of a signal by its name; 0 for one that this system does not know. */
export function signalNumber(name: string): number {
  return constants.signals[name as NodeJS.Signals] ?? 0
}
