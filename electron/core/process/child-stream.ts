import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { Duplex } from 'node:stream'

const maxComplaint = 2_000
/** Handed to the kernel's queue before the writer is made to wait: less would stop the flow again and again. */
const maxPassedOn = 1024 * 1024

/** A program as a stream: what is written goes to its stdin, what it prints is read. */
export interface ChildStream extends Duplex {
  /** The end of what it wrote to stderr. */
  complaint(): string
}

/**
 * Starts a program in a session of its own, so that no key of this process's terminal reaches it. It is told to end when
 * the stream is destroyed; one that cannot be started destroys the stream with that error.
 * @param env added to this process's environment; undefined takes a variable away
 */
export function startChildStream([program, ...args]: readonly [string, ...string[]], env: Record<string, string | undefined> = {}): ChildStream {
  return new PipedChild(spawn(program, args, { stdio: 'pipe', detached: true, env: { ...process.env, ...env } }))
}

class PipedChild extends Duplex implements ChildStream {
  readonly #child: ChildProcessWithoutNullStreams
  #stderr = ''
  #wantsMore: ((error?: Error | null) => void) | undefined

  constructor(child: ChildProcessWithoutNullStreams) {
    super({ allowHalfOpen: false, readableHighWaterMark: maxPassedOn })
    this.#child = child
    child.once('error', (error) => this.destroy(error))
    // Its end tells all; a pipe that broke says nothing new.
    child.stdin.on('error', () => {})
    child.stdin.on('drain', () => this.#drained())
    child.stdin.once('close', () => this.#drained())
    child.stdout.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) child.stdout.pause()
    })
    child.stdout.on('error', () => {})
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-maxComplaint)
    })
    child.once('close', () => this.push(null))
  }

  complaint(): string {
    return this.#stderr.trim()
  }

  override _read(): void {
    this.#child.stdout.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#pass([{ chunk }], done)
  }

  /** Many small writes, as SSH makes them, become one. */
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#pass(chunks, done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#child.stdin.end()
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#drained()
    this.#child.stdin.destroy()
    this.#child.stdout.destroy()
    this.#child.stderr.destroy()
    // The whole group: what the program started may hold the other end.
    if (this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null) killGroup(this.#child.pid)
    done(error)
  }

  #pass(chunks: readonly { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    const { stdin } = this.#child
    if (stdin.destroyed) return done()
    stdin.cork()
    for (const { chunk } of chunks) stdin.write(chunk)
    stdin.uncork()
    if (stdin.writableLength < maxPassedOn) done()
    else this.#wantsMore = done
  }

  #drained(): void {
    const done = this.#wantsMore
    this.#wantsMore = undefined
    done?.()
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // It has just ended.
  }
}
