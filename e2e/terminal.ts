import { spawn } from 'node-pty'

/** A real terminal with a program in it. */
export interface Terminal {
  pid: number
  /** All that was printed so far. */
  readonly text: string
  type(text: string): void
  resize(columns: number, rows: number): void
  /** Waits for output that was printed after the last match; returns the match. */
  expect(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>
  /** The program's exit code, 128 + N after signal N. */
  ended(timeoutMs?: number): Promise<number>
  kill(signal: string): void
}

export const ctrlC = '\x03'

/** Starts a program in a pty of its own. */
export function openTerminal(argv: readonly [string, ...string[]], env: Record<string, string | undefined>, cwd: string): Terminal {
  const [program, ...args] = argv
  const whole = Object.fromEntries(Object.entries({ ...process.env, TERM: 'xterm-256color', ...env }).filter(([, value]) => value !== undefined))
  const pty = spawn(program, args, { cols: 100, rows: 30, cwd, env: whole as Record<string, string> })
  let text = ''
  let seen = 0
  let exit: number | null = null
  pty.onData((data) => {
    text += data
  })
  pty.onExit(({ exitCode, signal }) => {
    exit = signal ? 128 + signal : exitCode
  })
  const poll = async <T>(what: string, timeoutMs: number, look: () => T | null): Promise<T> => {
    const end = Date.now() + timeoutMs
    for (;;) {
      const value = look()
      if (value !== null) return value
      if (Date.now() > end) throw new Error(`${what} did not come within ${timeoutMs} ms; the terminal shows:\n${text.slice(-2_000)}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return {
    pid: pty.pid,
    get text() {
      return text
    },
    type: (keys) => pty.write(keys),
    resize: (columns, rows) => pty.resize(columns, rows),
    kill: (signal) => pty.kill(signal),
    expect: (pattern, timeoutMs = 60_000) =>
      poll(String(pattern), timeoutMs, () => {
        const match = pattern.exec(text.slice(seen))
        if (match) seen += match.index + match[0].length
        return match
      }),
    ended: (timeoutMs = 60_000) => poll('The end', timeoutMs, () => exit),
  }
}
