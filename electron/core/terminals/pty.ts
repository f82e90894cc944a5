import { spawn } from 'node-pty'

/** A program in a pseudo terminal. */
export interface Pty {
  readonly pid: number
  write(data: string): void
  resize(cols: number, rows: number): void
  /** Stops reading: the program blocks once the kernel's buffer is full, so nothing is lost. */
  pause(): void
  resume(): void
  /** Ends the client at once; by SIGKILL, which it cannot hand on to what it is attached to. */
  kill(): void
}

export interface PtyOptions {
  command: readonly [string, ...string[]]
  /** Added to this process's environment; undefined takes a variable away. */
  env: Record<string, string | undefined>
  cols: number
  rows: number
  /** Bytes as they came: a character may be split between two calls. */
  onData: (data: Uint8Array) => void
  /** 128 + N after signal N, as a shell has it. */
  onExit: (exitCode: number) => void
}

/** The one place that touches node-pty. @throws {Error} when the program cannot be started */
export function openPty({ command: [program, ...args], env, cols, rows, onData, onExit }: PtyOptions): Pty {
  const merged = Object.entries({ ...process.env, ...env, TERM: 'xterm-256color', COLORTERM: 'truecolor' })
  const environment = Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== undefined))
  const pty = spawn(program, args, { name: 'xterm-256color', cols, rows, env: environment, encoding: null })
  // With encoding null node-pty hands out Buffers, which its types do not say.
  pty.onData((data) => onData(data as unknown as Buffer))
  pty.onExit(({ exitCode, signal }) => onExit(signal ? 128 + signal : exitCode))
  return {
    pid: pty.pid,
    write: (data) => pty.write(data),
    resize: (c, r) => pty.resize(c, r),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    kill: () => pty.kill('SIGKILL'),
  }
}
