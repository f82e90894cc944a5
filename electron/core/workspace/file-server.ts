import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { GuestChannel } from '../guest/guest-channel.ts'
import type { GuestProcess } from '../guest/guest-process.ts'
import program from './files.pl?raw'
import { guestPerl, type OpenGuest, refused, startProblem } from './guest-place.ts'
import { createMessageReader, encodeMessage, type Message } from './message.ts'

/** The guest's file server, started when first asked and again when it ended. One request at a time. */
export interface FileServer {
  /**
   * Asks and waits for the answer. @returns the fields behind "ok"
   * @throws {PaddockError} `workspace-refused` with what is in the way, `channel-lost`, `channel-unavailable`, `cancelled`
   */
  ask(fields: readonly [string, ...(string | Uint8Array)[]], signal?: AbortSignal): Promise<Message>
}

/** @param detail of the guest's; hostile text @param request the first word of what was asked */
export type Explain = (word: string, detail: string, request: string) => PaddockError

/** The largest answer is a file's part of 1 MiB, or a list of 1,000 entries with paths of 4 KiB. */
const maxReply = 8 * 1024 * 1024
/** A file system that answers nothing for so long, below the project on the host for instance, hangs. */
const answerMs = 60_000

interface Running {
  channel: GuestChannel
  process: GuestProcess
  take: ((reply: Message | Error) => void) | null
}

/** @param root the folder that all paths are below @param explain turns the server's word for what is in the way into an error */
export function createFileServer(open: OpenGuest, root: string, explain: Explain): FileServer {
  let running: Running | null = null
  let last: Promise<unknown> = Promise.resolve()

  const start = async (channel: GuestChannel): Promise<Running> => {
    const process = await channel.exec([guestPerl, '-e', program, root], { cwd: '/' })
    const self: Running = { channel, process, take: null }
    const give = (reply: Message | Error) => {
      const take = self.take
      self.take = null
      take?.(reply)
    }
    const read = createMessageReader(maxReply)
    process.stdout.on('data', (piece: Buffer) => {
      try {
        for (const reply of read(piece)) give(reply)
      } catch (error) {
        give(error as Error)
        void process.end()
      }
    })
    // What perl says there is of no use to anybody, and unread it would fill the window.
    process.stderr.resume()
    process.stdin.on('error', () => {})
    process.exit.then(({ exitCode }) => startProblem(exitCode, root) ?? ended(), (error: Error) => error).then((error) => {
      if (running === self) running = null
      give(error)
    }, () => {})
    return self
  }

  const askNow = async (fields: readonly [string, ...(string | Uint8Array)[]], signal?: AbortSignal): Promise<Message> => {
    if (signal?.aborted) throw cancelled()
    const channel = await open(signal)
    if (running?.channel !== channel) running = await start(channel)
    const self = running
    const stop = (error: Error) => {
      if (running === self) running = null
      self.take?.(error)
      self.take = null
      void self.process.end()
    }
    const cancel = () => stop(cancelled())
    const timer = setTimeout(() => stop(refused('The sandbox’s files do not answer.', 'The file system below the project may hang; try another path, or later.')), answerMs)
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const answer = new Promise<Message | Error>((resolve) => (self.take = resolve))
      self.process.stdin.write(encodeMessage(fields))
      if (signal?.aborted) cancel()
      const reply = await answer
      if (reply instanceof Error) throw reply
      const [word, ...rest] = reply
      if (word?.toString() === 'ok') return rest
      throw explain(word?.toString() ?? '', rest[0]?.toString() ?? '', fields[0])
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cancel)
    }
  }
  return {
    ask(fields, signal) {
      const mine = last.then(() => askNow(fields, signal))
      last = mine.catch(() => {})
      return mine
    },
  }
}

const cancelled = () => new PaddockError({ code: 'cancelled', message: 'Cancelled.' })
const ended = () => new PaddockError({ code: 'channel-lost', message: 'What serves the files in the sandbox was ended.', hint: 'Something in the sandbox may have killed it; asking again starts it anew.' })
