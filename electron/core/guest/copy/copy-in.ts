import type { Stats } from 'node:fs'
import { posix } from 'node:path'
import { isInnerLink, keptMode } from '../../../../shared/domain/copy-rules.ts'
import { PaddockError } from '../../../../shared/errors/paddock-error.ts'
import { type CopyJob, maxDepth, partName } from './copy-job.ts'
import type { CopySession } from './copy-session.ts'
import { type FileSession, serverFailure } from './file-session.ts'
import type { HostFolder } from '../../files/host-folder.ts'
import { upload } from './transfer.ts'

/** What is copied into a guest. */
export interface CopyIn {
  session: CopySession
  job: CopyJob
}

/** A name in a folder of this machine, and for the person where that is. */
interface HostEntry {
  folder: HostFolder
  name: string
  shown: string
}

const seconds = (ms: number) => Math.floor(ms / 1_000)

/** Copies a folder's content into one of the guest, which is made if it is missing. It closes the folder. */
export async function copyFolderIn(copy: CopyIn, folder: HostFolder, shown: string, to: string, stats: Pick<Stats, 'mode' | 'mtimeMs'> | null, depth: number): Promise<void> {
  const { session, job } = copy
  try {
    if (depth > maxDepth) return job.leaveOut(shown, 'it lies too deep')
    const isNew = await madeFolder(session, to)
    if (isNew === null) return job.leaveOut(shown, 'there is a file of that name')
    const entries: HostEntry[] = []
    for (const bytes of await folder.names()) {
      const name = bytes.toString()
      if (Buffer.from(name).equals(bytes)) entries.push({ folder, name, shown: posix.join(shown, name) })
      else job.leaveOut(posix.join(shown, name), 'its name is no valid text')
    }
    const folders: [HostEntry, Stats][] = []
    await job.each(entries, ({ shown: path }) => path, async (entry) => {
      const found = await folder.stat(entry.name)
      if (found.isDirectory()) folders.push([entry, found])
      else if (found.isFile()) await copyFileIn(copy, entry, posix.join(to, entry.name))
      else if (found.isSymbolicLink()) await copyLinkIn(copy, entry, posix.join(to, entry.name), depth)
      else job.leaveOut(entry.shown, 'it is neither a file, a folder nor a link')
    })
    for (const [{ name, shown: inner }, found] of folders) {
      await job.attempt(inner, async () => copyFolderIn(copy, await folder.folder(name), inner, posix.join(to, name), found, depth + 1))
    }
    if (isNew && stats) await session.setAttributesOf(to, { mode: keptMode(stats.mode), atime: seconds(stats.mtimeMs), mtime: seconds(stats.mtimeMs) })
  } finally {
    await folder.close()
  }
}

/** Whether a folder had to be made; null where there is something else of its name. @throws {Error} what the server says */
async function madeFolder(session: CopySession, path: string): Promise<boolean | null> {
  try {
    await session.makeFolder(path)
    return true
  } catch (error) {
    const existing = await session.stat(path).catch(() => null)
    if (existing === null) throw error
    return existing.isDirectory() ? false : null
  }
}

/** Copies one file. What it is, is asked of the file that was opened, which is never a link. */
export async function copyFileIn({ session: names, job }: CopyIn, { folder, name, shown }: HostEntry, to: string): Promise<void> {
  const source = await folder.file(name)
  try {
    const stats = await source.stat()
    if (!stats.isFile()) return job.leaveOut(shown, 'it is no file any more')
    job.begin(shown, stats.size)
    const session = await names.forContent(stats.size)
    const part = posix.join(posix.dirname(to), partName(shown, stats.size, stats.mtimeMs, to))
    const earlier = await session.lstat(part).catch(() => null)
    const start = earlier?.isFile() && earlier.size <= stats.size ? earlier.size : 0
    if (earlier && start === 0) await session.remove(part).catch(() => {})
    try {
      const handle = await session.open(part, start > 0 ? 'r+' : 'wx', { mode: 0o600 })
      try {
        if (start > 0) job.onBytes(start)
        await upload(session, source, handle, start, stats.size, job)
        await session.setAttributes(handle, { mode: keptMode(stats.mode), atime: seconds(stats.atimeMs), mtime: seconds(stats.mtimeMs) })
      } finally {
        await session.close(handle).catch(() => {})
      }
      await session.rename(part, to)
    } catch (error) {
      const done = (await session.lstat(part).catch(() => null))?.size
      const refusal = await whyRefused(session, error, { shown, size: stats.size, done: done ?? 0, to })
      if (job.dropsParts || done === 0 || refusal !== null) await session.remove(part).catch(() => {})
      throw refusal ?? error
    }
  } finally {
    await source.close()
  }
}

/** What a file system has against a file, where the server's answer is a mere "failure"; it concerns the other files too. */
async function whyRefused(session: FileSession, error: unknown, { shown, size, done, to }: { shown: string; size: number; done: number; to: string }): Promise<PaddockError | null> {
  if ((error as { code?: unknown }).code !== serverFailure) return null
  const folder = posix.dirname(to)
  const room = await session.room(folder)
  if (room === null) return null
  if (room.isReadOnly) return new PaddockError({ code: 'copy-failed', message: `${folder} can only be read in the sandbox.`, hint: 'Copy to another place, such as /home/ai or /tmp.' }, { cause: error })
  if (room.freeBytes > 0 && room.freeBytes >= size - done) return null
  return new PaddockError({ code: 'copy-failed', message: `There is not enough room in the sandbox: ${shown} has ${size} bytes, and ${room.freeBytes + done} are free.`, hint: 'Free some, or copy to another place.' }, { cause: error })
}

async function copyLinkIn({ session, job }: CopyIn, { folder, name, shown }: HostEntry, to: string, depth: number): Promise<void> {
  const target = await folder.readLink(name)
  // What it leads to is not looked at; and outside it would lead to something else inside.
  if (!isInnerLink(target, depth)) return job.leaveOut(shown, 'it is a link that leads out of what is copied')
  const part = posix.join(posix.dirname(to), partName(shown, target, to))
  await session.remove(part).catch(() => {})
  await session.link(target, part)
  await session.rename(part, to)
}
