import type { GuestChannel } from '../guest-channel.ts'
import { type FileSession, fileSession } from './file-session.ts'

/** What a copy is made through. */
export interface CopySession extends FileSession {
  /** Which session to open a file in, to copy so many bytes of it: once there is much to copy, one that moves more. */
  forContent(size: number): Promise<FileSession>
}

type Source = Pick<GuestChannel, 'sftp' | 'bulkSftp'>

/** As much as goes through the channel that is there while another connection would be made. */
const bulkBytes = 32 * 1024 * 1024

/** @param signal ends waiting for a connection @throws {PaddockError} `channel-lost` */
export async function copySession(guest: Source, signal?: AbortSignal): Promise<CopySession> {
  const session = fileSession(await guest.sftp())
  const isOver = new AbortController()
  const calledOff = signal && new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true, signal: isOver.signal }))
  let expected = 0
  return {
    ...session,
    async forContent(size) {
      expected += size
      if (expected < bulkBytes) return session
      return (await Promise.race([bulkSession(guest), ...(calledOff ? [calledOff] : [])])) ?? session
    },
    end() {
      isOver.abort()
      session.end()
    },
  }
}

/** The open ones: a connection takes a while to be made and to get up to speed, so it stays for the next copy, as long as its channel does. */
const bulkSessions = new WeakMap<Source, Promise<FileSession | null>>()

function bulkSession(guest: Source): Promise<FileSession | null> {
  const existing = bulkSessions.get(guest)
  if (existing) return existing
  const opening = guest.bulkSftp().then((files) => {
    // Where there is none now, there is none later either.
    for (const event of ['error', 'end']) files?.sftp.once(event, () => bulkSessions.delete(guest))
    return files && fileSession(files.sftp, files.bytes)
  })
  bulkSessions.set(guest, opening)
  return opening
}
