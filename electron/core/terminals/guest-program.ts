import type { GuestProcess } from '../guest/guest-process.ts'
import { createInputQueue } from './input-queue.ts'
import type { ProgramOptions, TerminalProgram } from './terminal.ts'

/** What the guest may send ahead of the screen: half of what the screen itself may lag, so that Ctrl-C is answered about as soon. */
const leadBytes = 128 * 1024
/** Input that lies in the channel because the guest takes none; the rest waits in a queue with a bound. */
const maxUntaken = 64 * 1024

/** A program in the guest as what a terminal needs. Its exit code is null when the connection to it broke. */
export function guestProgram(guest: GuestProcess, { onData, onExit }: ProgramOptions<number | null>): TerminalProgram {
  const { stdin, stdout } = guest
  const taken = guest.limitLead(leadBytes)
  let hasEnded = false
  const take = (data: Buffer) => {
    taken(data.length)
    onData(data)
  }
  const input = createInputQueue((data) => {
    if (!stdin.writable) throw new Error('the program has ended')
    if (stdin.writableLength >= maxUntaken) return 0
    stdin.write(data)
    return data.length
  })
  const end = (exitCode: number | null) => {
    hasEnded = true
    input.close()
    // A connection that breaks while the program is paused leaves behind what has come.
    const rest = stdout.read() as Buffer | null
    if (rest !== null) take(rest)
    onExit(exitCode)
  }
  stdin.on('error', () => {})
  stdout.on('data', take)
  guest.exit.then(({ exitCode }) => end(exitCode), () => end(null))
  return {
    write: (data) => input.add(typeof data === 'string' ? Buffer.from(data) : data),
    resize: (cols, rows) => void (hasEnded || guest.resize({ cols, rows })),
    pause: () => void (hasEnded || stdout.pause()),
    resume: () => void (hasEnded || stdout.resume()),
    kill() {
      if (hasEnded) return
      // As a terminal that is closed: a shell hands it on to what runs in it, and ignores the SIGTERM that follows.
      guest.signal('SIGHUP')
      void guest.end()
    },
  }
}
