import type { FileEntryWithStats, InputAttributes, SFTPWrapper, Stats } from 'ssh2'
import { PaddockError } from '../../../../shared/errors/paddock-error.ts'
import type { FileBytes } from '../file-bytes.ts'

/** An answer takes no longer in a guest that lives. */
const answerMs = 30_000
/** More entries than any project has; a guest could list without end. */
const maxEntries = 1_000_000

/** A file in the guest that is open. */
export type GuestHandle = Buffer

/** What can still be written to a file system, as statvfs(3) has it. */
export interface Room {
  freeBytes: number
  isReadOnly: boolean
}

/** SFTP as promises, each with an end to waiting. What it answers is hostile. */
export interface FileSession {
  stat(path: string): Promise<Stats>
  lstat(path: string): Promise<Stats>
  /** @throws {PaddockError} `copy-failed` when the list does not end */
  list(path: string): Promise<FileEntryWithStats[]>
  readLink(path: string): Promise<string>
  /** @param flags as fopen(3) has them */
  open(path: string, flags: 'r' | 'r+' | 'wx', attributes?: InputAttributes): Promise<GuestHandle>
  /** @returns how many bytes came, 0 at the end */
  read(handle: GuestHandle, position: number, into: Buffer): Promise<number>
  write(handle: GuestHandle, data: Buffer, position: number): Promise<void>
  setAttributes(handle: GuestHandle, attributes: InputAttributes): Promise<void>
  setAttributesOf(path: string, attributes: InputAttributes): Promise<void>
  close(handle: GuestHandle): Promise<void>
  makeFolder(path: string): Promise<void>
  link(target: string, path: string): Promise<void>
  remove(path: string): Promise<void>
  /** Puts one name in the place of another. */
  rename(from: string, to: string): Promise<void>
  /** What the file system of a path still takes; null when the server does not tell. */
  room(path: string): Promise<Room | null>
  end(): void
}

/** @param bytes reads and writes over the same wire by another way than through ssh2 */
export function fileSession(sftp: SFTPWrapper, bytes: FileBytes = throughSsh2(sftp)): FileSession {
  let failure: Error | undefined
  const waiting = new Set<(error: Error) => void>()
  const fail = (error: Error) => {
    failure ??= error
    for (const reject of waiting) reject(failure)
    waiting.clear()
  }
  // A server that speaks something else: ssh2 says so here, and the requests stay unanswered.
  sftp.on('error', (error: Error) => fail(noProtocol(error.message)))
  sftp.on('close', () => fail(noProtocol('it closed the file session')))
  sftp.on('end', () => fail(noProtocol('it ended the file session')))

  const ask = <T = void>(call: (done: (error: Error | null | undefined, value?: T) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure)
      const timer = setTimeout(() => {
        fail(noProtocol('it does not answer'))
        sftp.end()
      }, answerMs)
      const settle = (act: () => void) => {
        clearTimeout(timer)
        waiting.delete(broken)
        act()
      }
      const broken = (error: Error) => settle(() => reject(error))
      waiting.add(broken)
      try {
        call((error, value) => settle(() => (error ? reject(error) : resolve(value as T))))
      } catch (error) {
        broken(error as Error)
      }
    })

  const session: FileSession = {
    stat: (path) => ask((done) => sftp.stat(path, done)),
    lstat: (path) => ask((done) => sftp.lstat(path, done)),
    async list(path) {
      const handle = await ask<Buffer>((done) => sftp.opendir(path, done))
      const entries: FileEntryWithStats[] = []
      try {
        for (;;) {
          const some = await ask<FileEntryWithStats[]>((done) => sftp.readdir(handle as unknown as string, done)).catch(ifEnd)
          if (some === null) return entries
          entries.push(...some)
          if (entries.length > maxEntries) throw noProtocol(`it lists more than ${maxEntries} entries in one folder`)
        }
      } finally {
        await session.close(handle).catch(() => {})
      }
    },
    readLink: (path) => ask((done) => sftp.readlink(path, done)),
    open: (path, flags, attributes = {}) => ask((done) => sftp.open(path, flags, attributes, done)),
    async read(handle, position, into) {
      const count = await ask<number>((done) => bytes.read(handle, into, position, done)).catch(ifEnd)
      return Math.min(Math.max(count ?? 0, 0), into.length)
    },
    write: (handle, data, position) => ask((done) => bytes.write(handle, data, position, done)),
    setAttributes: (handle, attributes) => ask((done) => sftp.fsetstat(handle, attributes, (error) => done(error))),
    setAttributesOf: (path, attributes) => ask((done) => sftp.setstat(path, attributes, (error) => done(error))),
    close: (handle) => ask((done) => sftp.close(handle, (error) => done(error))),
    makeFolder: (path) => ask((done) => sftp.mkdir(path, (error) => done(error))),
    link: (target, path) => ask((done) => sftp.symlink(target, path, (error) => done(error))),
    remove: (path) => ask((done) => sftp.unlink(path, (error) => done(error))),
    rename: (from, to) => ask((done) => sftp.ext_openssh_rename(from, to, (error) => done(error))),
    async room(path) {
      const found: unknown = await ask<unknown>((done) => sftp.ext_openssh_statvfs(path, done)).catch(() => null)
      return readRoom(found)
    },
    end: () => void sftp.end(),
  }
  return session
}

/** "ST_RDONLY" of the extension. Source: OpenSSH's PROTOCOL, 4.4 */
const readOnlyFlag = 1

function readRoom(found: unknown): Room | null {
  const { f_bavail, f_frsize, f_favail, f_files, f_flag } = (found ?? {}) as Record<string, number | bigint | undefined>
  const freeBytes = Number(f_bavail) * Number(f_frsize)
  if (Number.isNaN(freeBytes)) return null
  // Some file systems count no files at all.
  const isOutOfFiles = Number(f_files) > 0 && Number(f_favail) === 0
  return { freeBytes: isOutOfFiles ? 0 : freeBytes, isReadOnly: (Number(f_flag) & readOnlyFlag) !== 0 }
}

function throughSsh2(sftp: SFTPWrapper): FileBytes {
  return {
    read: (handle, into, position, done) => sftp.read(handle, into, 0, into.length, position, (error, bytesRead) => done(error, bytesRead)),
    write: (handle, data, position, done) => sftp.write(handle, data, 0, data.length, position, (error) => done(error ?? undefined)),
  }
}

/** What the guest's server says when it says no reason. Source: draft-ietf-secsh-filexfer-02, section 7. */
export const serverFailure = 4
/** "End of file", as an error. Source: draft-ietf-secsh-filexfer-02, section 7. */
const endCode = 1

function ifEnd(error: Error & { code?: unknown }): null {
  if (error.code !== endCode) throw error
  return null
}

function noProtocol(why: string): PaddockError {
  return new PaddockError({ code: 'copy-failed', message: `The sandbox does not keep to the rules of SFTP: ${why.slice(0, 200)}.`, hint: 'What answers in it was replaced or hangs; see "paddock ls" and "paddock logs".' })
}
