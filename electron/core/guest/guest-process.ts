import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientChannel } from 'ssh2'
import type { Readable, Writable } from 'node:stream'
import type { TerminalSize } from '../../../shared/contract/window-contract.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { limitLead } from './lead.ts'
import type { Loss } from './loss.ts'

/** How a program in the guest ended. */
export interface GuestExit {
  /** As a shell has it: 128 + N after signal N. */
  exitCode: number
  /** `SIGTERM` and the like when a signal ended it. */
  signal: string | null
}

/** A program that runs in the guest. */
export interface GuestProcess {
  stdin: Writable
  stdout: Readable
  /** Ends at once where a terminal has both. */
  stderr: Readable
  /** Settles after all its output was read: who wants none calls `stdout.resume()`. Rejects with `channel-lost` when the connection broke first. */
  exit: Promise<GuestExit>
  /** Sends a signal to its process group; one that OpenSSH does not know is not sent. After its end, its output is waited for no longer. */
  signal(name: NodeJS.Signals): void
  resize(size: TerminalSize): void
  /** Bounds how far its output may be ahead of who reads it. @returns to be called with the bytes of stdout that were taken, all of them */
  limitLead(bytes: number): (taken: number) => void
  /** Has it end: SIGTERM, then SIGKILL after a moment, then without waiting for what the guest says. Settles when it is over. */
  end(): Promise<void>
}

/** Those that RFC 4254, section 6.10, has names for and OpenSSH passes on. */
const passedSignals = new Set(['SIGABRT', 'SIGALRM', 'SIGFPE', 'SIGHUP', 'SIGINT', 'SIGKILL', 'SIGPIPE', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2'])
const graceMs = 2_000
/** A connection that breaks closes its channels first. */
const silentMs = 500

export function guestProcess(channel: ClientChannel, isTerminal: boolean, loss: Loss): GuestProcess {
  // Nobody reads it, and what is not read fills the window of both.
  if (isTerminal) channel.stderr.resume()
  const isOver = new AbortController()
  const silent = () => new PaddockError({ code: 'channel-lost', message: 'The sandbox did not say how the program ended.', hint: 'It may be ending itself; "paddock ls" tells.' })
  let seen: GuestExit | undefined
  let finish!: (error: Error) => void
  const exit = new Promise<GuestExit>((resolve, reject) => {
    finish = (error) => {
      isOver.abort()
      forget()
      if (seen) resolve(seen)
      else reject(error)
    }
    channel.on('exit', (code: number | null, signal?: string) => {
      // The guest says it, so it is checked.
      const exitCode = typeof code === 'number' ? code & 0xff : 128 + (constants.signals[signal as NodeJS.Signals] ?? 0)
      seen = { exitCode, signal: code === null && signal !== undefined && signal in constants.signals ? signal : null }
    })
    channel.once('close', () => {
      isOver.abort()
      if (seen) finish(silent())
      // The guest closed the channel without a word: the connection, if it is over, says more.
      else void loss.within(silentMs, silent()).then(finish)
    })
    // Output that nobody reads keeps ssh2 from closing the channel.
    const forget = loss.onLost(finish)
    channel.on('error', () => {})
  })
  // Whoever asks hears of it; nobody has to.
  exit.catch(() => {})
  const signal = (name: NodeJS.Signals) => {
    // It is over, and only what it left in the background holds its output: there is nobody left to be told.
    if (seen) {
      channel.destroy()
      return finish(silent())
    }
    // ssh2 sends none once stdin has ended, though the program still runs.
    if (passedSignals.has(name)) sendSignal(channel, name.slice(3))
  }
  const settled = (ms: number) => sleep(ms, false, { signal: isOver.signal }).catch(() => true)
  return {
    stdin: channel,
    stdout: channel,
    stderr: channel.stderr,
    exit,
    signal,
    resize: ({ cols, rows }) => channel.setWindow(rows, cols, 0, 0),
    limitLead: (bytes) => limitLead(channel, bytes),
    async end() {
      // Output that nobody reads any more must not keep its end from being told.
      channel.resume()
      channel.stderr.resume()
      for (const name of ['SIGTERM', 'SIGKILL'] as const) {
        if (isOver.signal.aborted) return
        signal(name)
        if (await settled(graceMs)) return
      }
      channel.destroy()
      // A guest that keeps the close to itself would have whoever asked wait for ever.
      if (!isOver.signal.aborted) finish(silent())
    },
  }
}

/** What `ClientChannel.signal` does, for a channel whose own side has ended too. Source: ssh2's lib/Channel.js. */
function sendSignal(channel: ClientChannel, name: string): void {
  const { outgoing, _client } = channel as unknown as { outgoing: { id: number; state: string }; _client: { _protocol: { signal(id: number, name: string): void } } }
  if (outgoing.state === 'open' || outgoing.state === 'eof') _client._protocol.signal(outgoing.id, name)
}
