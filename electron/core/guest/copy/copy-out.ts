import type { Attributes, FileEntryWithStats } from 'ssh2'
import { constants } from 'node:fs'
import { posix } from 'node:path'
import { isInnerLink, isPlainName, keptMode } from '../../../../shared/domain/copy-rules.ts'
import { PaddockError } from '../../../../shared/errors/paddock-error.ts'
import { type CopyJob, maxDepth, partName } from './copy-job.ts'
import type { CopySession } from './copy-session.ts'
import type { HostFolder } from '../../files/host-folder.ts'
import { download } from './transfer.ts'

/** What is copied out of a guest, and for whom. */
export interface CopyOut {
  session: CopySession
  job: CopyJob
  sandboxId: string
}

/** A server may leave any of them out. Source: draft-ietf-secsh-filexfer-02, section 5. */
function soundOf({ size, mode, mtime }: Partial<Attributes>): { size: number; mode: number; mtime: number } {
  if (!Number.isSafeInteger(size) || size! < 0) throw new PaddockError({ code: 'copy-failed', message: 'The sandbox does not tell how large a file is.', hint: 'What answers in it was replaced; see "paddock ls".' })
  return { size: size!, mode: mode ?? 0o600, mtime: mtime ?? 0 }
}

const kindOf = (mode: number) => mode & constants.S_IFMT

/**
 * Copies a file or folder of the guest into a folder of this machine, under a name.
 * @param from path inside
 * @throws {PaddockError} `copy-failed`, `cancelled`
 */
export async function copyOut(copy: CopyOut, from: string, attributes: Attributes, into: HostFolder, name: string): Promise<void> {
  if (kindOf(attributes.mode) === constants.S_IFDIR) {
    const made = await into.madeFolder(name).catch(noFolder(name))
    await copy.job.attempt(from, () => copyFolderOut(copy, from, attributes, made, 0))
  } else if (kindOf(attributes.mode) === constants.S_IFREG) await copyFileOut(copy, from, attributes, into, name)
  else throw new PaddockError({ code: 'copy-failed', message: 'It is neither a file nor a folder.', hint: 'Only those are copied.' })
}

/** Copies what is in a folder of the guest into one of this machine. It closes the folder. */
export async function copyFolderOut(copy: CopyOut, from: string, attributes: Attributes | null, { folder, isNew }: { folder: HostFolder; isNew: boolean }, depth: number): Promise<void> {
  const { session, job } = copy
  try {
    if (depth > maxDepth) return job.leaveOut(from, 'it lies too deep')
    const plain: FileEntryWithStats[] = []
    for (const entry of await session.list(from)) {
      if (isPlainName(entry.filename)) plain.push(entry)
      else job.leaveOut(posix.join(from, entry.filename), 'its name cannot be a file’s here')
    }
    const isFolder = ({ attrs }: FileEntryWithStats) => kindOf(attrs.mode) === constants.S_IFDIR
    await job.each(plain.filter((entry) => !isFolder(entry)), ({ filename }) => posix.join(from, filename), (entry) => copyEntryOut(copy, from, entry, folder, depth))
    for (const entry of plain.filter(isFolder)) {
      const made = await folder.madeFolder(entry.filename).catch(noFolder(entry.filename))
      const inner = posix.join(from, entry.filename)
      await job.attempt(inner, () => copyFolderOut(copy, inner, entry.attrs, made, depth + 1))
    }
    // Last: what is put into a folder changes its time, and a folder may not be one that takes files.
    if (isNew && attributes) {
      const { mode, mtime } = soundOf(attributes)
      await folder.finish(keptMode(mode), mtime)
    }
  } finally {
    await folder.close()
  }
}

async function copyEntryOut(copy: CopyOut, parent: string, { filename, attrs }: FileEntryWithStats, into: HostFolder, depth: number): Promise<void> {
  const from = posix.join(parent, filename)
  if (kindOf(attrs.mode) === constants.S_IFREG) return copyFileOut(copy, from, attrs, into, filename)
  if (kindOf(attrs.mode) !== constants.S_IFLNK) return copy.job.leaveOut(from, 'it is neither a file, a folder nor a link')
  const target = await copy.session.readLink(from)
  if (!isInnerLink(target, depth)) return copy.job.leaveOut(from, 'it is a link that leads out of what is copied')
  await into.link(target, filename, partName(copy.sandboxId, from, target))
}

async function copyFileOut({ session: names, job, sandboxId }: CopyOut, from: string, attributes: Attributes, into: HostFolder, name: string): Promise<void> {
  const { size, mode, mtime } = soundOf(attributes)
  job.begin(from, size)
  const part = partName(sandboxId, from, size, mtime)
  try {
    const { handle, from: start } = await into.part(part, size)
    try {
      const free = await into.freeBytes()
      if (size - start > free) throw new PaddockError({ code: 'copy-failed', message: `There is not enough room: ${from} has ${size} bytes, and ${free} are free.`, hint: 'Free some, or copy to another disk.' })
      if (start > 0) job.onBytes(start)
      if (size > start) {
        const session = await names.forContent(size - start)
        const remote = await session.open(from, 'r')
        try {
          await download(session, remote, handle, start, size, job)
        } finally {
          await session.close(remote).catch(() => {})
        }
      }
      await handle.chmod(keptMode(mode))
      await handle.utimes(mtime, mtime)
    } finally {
      await handle.close()
    }
    await into.rename(part, name).catch((error: NodeJS.ErrnoException) => {
      throw new PaddockError({ code: 'copy-failed', message: `${name} cannot be put in its place: ${error.code === 'EISDIR' ? 'there is a folder of that name' : error.message}.`, hint: 'Move it away, or copy to another place.' }, { cause: error })
    })
  } catch (error) {
    if (job.dropsParts || (await isEmpty(into, part))) await into.remove(part).catch(() => {})
    throw error
  }
}

/** Nothing that a next try could go on with. */
const isEmpty = (folder: HostFolder, name: string) => folder.stat(name).then(({ size }) => size === 0, () => false)

function noFolder(name: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    const why = error.code === 'ENOTDIR' || error.code === 'ELOOP' ? 'there is a link or a file of that name' : error.message
    throw new PaddockError({ code: 'copy-failed', message: `The folder ${name} cannot be made: ${why}.`, hint: 'Move it away, or copy to another place.' }, { cause: error })
  }
}
