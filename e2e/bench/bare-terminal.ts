import { spawn } from 'node-pty'
import { nowMs } from './samples.ts'

/** A program in a pseudo terminal with nothing behind it that draws. */
export interface BareTerminal {
  write(data: string): void
  /** Waits until the output ends with a text; the time at which it did. */
  endsWith(text: string): Promise<number>
  /** Reads so many bytes; the time from the first to the last in ms, and their checksum. */
  read(length: number): Promise<{ ms: number; checksum: number }>
  /** Waits until something came. */
  flows(bytes: number): Promise<void>
  ended: Promise<void>
}

export function openBareTerminal([program, ...args]: readonly [string, ...string[]], env: NodeJS.ProcessEnv, cwd: string): BareTerminal {
  const whole = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const pty = spawn(program, args, { cols: 120, rows: 40, cwd, env: Object.fromEntries(whole), encoding: null })
  const source = pty as unknown as { onData(listener: (data: Buffer) => void): { dispose(): void } }
  let tail = ''
  source.onData((data) => {
    tail = (tail + data.subarray(-64).toString('latin1')).slice(-64)
  })
  const ended = new Promise<void>((resolve) => pty.onExit(() => resolve()))
  const follow = <T>(what: string, look: (data: Buffer, done: (value: T) => void) => void) =>
    new Promise<T>((resolve, reject) => {
      const listener = source.onData((data) =>
        look(data, (value) => {
          listener.dispose()
          resolve(value)
        }),
      )
      void ended.then(() => reject(new Error(`${program} ended before ${what}: …${tail}`)))
    })
  return {
    write: (data) => pty.write(data),
    endsWith: (text) => (tail.endsWith(text) ? Promise.resolve(nowMs()) : follow(`it said ${text}`, (_data, done) => tail.endsWith(text) && done(nowMs()))),
    read(length) {
      let first = 0
      let left = length
      const sum = createChecksum()
      return follow('all was read', (data, done) => {
        if (first === 0) first = nowMs()
        sum.add(data)
        left -= data.length
        if (left <= 0) done({ ms: nowMs() - first, checksum: sum.value() })
      })
    },
    flows(bytes) {
      let left = bytes
      return follow('enough came', (data, done) => (left -= data.length) <= 0 && done(undefined))
    },
    ended,
  }
}

/** Of bytes in their order; cheap enough to be part of what is measured. */
export function createChecksum(): { add: (bytes: Uint8Array) => void; value: () => number } {
  let a = 0
  let b = 0
  return {
    add(bytes) {
      for (const byte of bytes) {
        a = (a + byte) | 0
        b = (b + a) | 0
      }
    },
    value: () => b,
  }
}
