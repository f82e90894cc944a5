import { readSync, writeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { spawn } from 'node-pty'
import { createInputQueue } from './input-queue.ts'

/** A program in a pseudo terminal. */
export interface Pty {
  readonly pid: number
  /** @returns false when the program reads so little that the input was dropped, or has ended */
  write(data: string | Uint8Array): boolean
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

/** How soon after its end a paused program is read out; well below node-pty's 200 ms. */
const lookMs = 20

/** The one place that touches node-pty. @throws {Error} when the program cannot be started */
export function openPty({ command: [program, ...args], env, cols, rows, onData, onExit }: PtyOptions): Pty {
  const merged = Object.entries({ ...process.env, ...env, TERM: 'xterm-256color', COLORTERM: 'truecolor' })
  const environment = Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== undefined))
  const pty = spawn(program, args, { name: 'xterm-256color', cols, rows, env: environment, encoding: null })
  const { _socket: stream, fd } = pty as unknown as UnixPty
  // libuv takes a hang-up after a short read for the end (uv__stream_eof in unix/stream.c), but a terminal never gives
  // more than 4 KiB at once: what the kernel still holds is read here, before the stream's own listener closes the file.
  stream.prependOnceListener('end', () => readRest(fd, onData))
  // Not node-pty's own write: it tries a full terminal again in every turn of the event loop and holds any amount. The
  // descriptor does not block, and it cannot become another file's between the look at `destroyed` and a write at once.
  const input = createInputQueue((data) => (stream.destroyed ? 0 : writeSome(fd, data)))
  stream.once('close', input.close)
  let hasEnded = false
  let watch: NodeJS.Timeout | undefined
  const resume = () => {
    clearInterval(watch)
    watch = undefined
    pty.resume()
  }
  // With encoding null node-pty hands out Buffers, which its types do not say.
  pty.onData((data) => onData(data as unknown as Buffer))
  pty.onExit(({ exitCode, signal }) => {
    hasEnded = true
    input.close()
    clearInterval(watch)
    // The program's end closes the stream, and a paused stream then keeps what it has read to itself.
    const rest = stream.read() as Buffer | null
    if (rest !== null) onData(rest)
    onExit(signal ? 128 + signal : exitCode)
  })
  return {
    pid: pty.pid,
    write: (data) => input.add(typeof data === 'string' ? Buffer.from(data) : data),
    resize(c, r) {
      // Closed long before the end when the program lets go of its terminal and lives on: from then on the descriptor
      // may be another file's.
      if (stream.destroyed) return
      try {
        pty.resize(c, r)
      } catch {
        // The terminal is about to be closed.
      }
    },
    // After the end the process id may be somebody else's.
    kill: () => void (hasEnded || pty.kill('SIGKILL')),
    pause() {
      if (hasEnded || watch) return
      pty.pause()
      // node-pty throws away what is unread 200 ms after the program's end; the little that the kernel holds then is
      // read whoever lags (DESTROY_SOCKET_TIMEOUT_MS in its unixTerminal.ts).
      watch = setInterval(() => void (isAlive(pty.pid) || resume()), lookMs)
    },
    resume,
  }
}

/** Of node-pty's terminal on Unix, what its types leave out. */
interface UnixPty {
  fd: number
  _socket: Readable
}

/** @returns how many bytes the terminal had room for */
function writeSome(fd: number, data: Uint8Array): number {
  try {
    return writeSync(fd, data)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0
    throw error
  }
}

const readLength = 64 * 1024

function readRest(fd: number, onData: (data: Uint8Array) => void): void {
  try {
    for (;;) {
      const buffer = Buffer.alloc(readLength)
      const length = readSync(fd, buffer)
      if (length === 0) return
      onData(buffer.subarray(0, length))
    }
  } catch {
    // EIO: all was read and nobody is left who could write.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
