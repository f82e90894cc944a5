import { constants } from 'node:fs'
import { chmod, type FileHandle, lstat, mkdir, open, readdir, readlink, rename, rmdir, statfs, symlink, unlink, utimes } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'

/** Linux's own value; Node does not name it. A folder is then held without the right to list it. Source: open(2). */
const oPath = 0o10000000
const heldFolder = oPath | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * A folder of this machine that is held open: what is done in it is done in this very folder, whatever is put in its
 * place meanwhile, and no link in it is followed. Names are one level each; the caller has checked them.
 */
export class HostFolder {
  readonly #handle: FileHandle

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  /** What openat(2) and its like do, through proc(5): the link there leads to the open folder itself. */
  at(name: string): string {
    return `/proc/self/fd/${this.#handle.fd}/${name}`
  }

  get path(): string {
    return `/proc/self/fd/${this.#handle.fd}`
  }

  /** Where the folder lies now, by the kernel. */
  realPath(): Promise<string> {
    return readlink(this.path)
  }

  /** Opens a folder in it. @throws {Error} ENOENT, ENOTDIR for a link or a file */
  async folder(name: string): Promise<HostFolder> {
    return new HostFolder(await open(this.at(name), heldFolder))
  }

  /** The same, made first if it is missing, for this account alone. */
  async madeFolder(name: string): Promise<{ folder: HostFolder; isNew: boolean }> {
    const isNew = await mkdir(this.at(name), { mode: 0o700 }).then(() => true, ifExists)
    return { folder: await this.folder(name), isNew }
  }

  /** Opens a regular file for reading; never a link, and no pipe that would wait. @throws {Error} ELOOP for a link */
  async file(name: string): Promise<FileHandle> {
    return open(this.at(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  }

  /** A part of a file that an earlier copy left, to go on with; else a new one. */
  async part(name: string, size: number): Promise<{ handle: FileHandle; from: number }> {
    const earlier = await open(this.at(name), constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
    if (earlier) {
      const found = await earlier.stat()
      // Another name of it might be a file that somebody needs.
      if (found.isFile() && found.nlink === 1 && found.uid === process.getuid!() && found.size <= size) return { handle: earlier, from: found.size }
      await earlier.close()
    }
    await unlink(this.at(name)).catch(ifMissing)
    return { handle: await open(this.at(name), constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600), from: 0 }
  }

  /** Puts one name in the place of another, a link there too; a folder there is an error. */
  rename(from: string, to: string): Promise<void> {
    return rename(this.at(from), this.at(to))
  }

  /** Removes a file or a link; removing what is not there succeeds. */
  remove(name: string): Promise<void> {
    return unlink(this.at(name)).catch(ifMissing)
  }

  async link(target: string, name: string, part: string): Promise<void> {
    await unlink(this.at(part)).catch(ifMissing)
    await symlink(target, this.at(part))
    await this.rename(part, name)
  }

  readLink(name: string): Promise<string> {
    return readlink(this.at(name))
  }

  stat(name: string) {
    return lstat(this.at(name))
  }

  /** Names as bytes: not every name is text. */
  names(): Promise<Buffer[]> {
    return readdir(this.path, { encoding: 'buffer' })
  }

  /** Bytes that this account can still write here. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.path)
    return bavail * bsize
  }

  async finish(mode: number, mtime: number): Promise<void> {
    await chmod(this.path, mode)
    await utimes(this.path, mtime, mtime)
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

/** Holds a folder; links on the way are followed. @throws {Error} ENOENT, ENOTDIR */
export async function holdFolder(path: string): Promise<HostFolder> {
  return new HostFolder(await open(path, oPath | constants.O_DIRECTORY))
}

/** Removes all that is in a held folder; what a link in it leads to stays. */
export async function emptyFolder(folder: HostFolder): Promise<void> {
  for (const name of await readdir(folder.path)) {
    const inner = await folder.folder(name).catch(() => null)
    if (inner === null) {
      await unlink(folder.at(name)).catch(ifMissing)
      continue
    }
    await emptyFolder(inner).finally(() => inner.close())
    await rmdir(folder.at(name))
  }
}

function ifExists(error: NodeJS.ErrnoException): false {
  if (error.code !== 'EEXIST') throw error
  return false
}

function ifMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** As the kernel has it: path_resolution(7). */
const maxLinks = 40

/**
 * Opens a folder that a person named. Links on the way are followed as usual, but for those in places where a sandbox
 * can write: what lies there may have been put for this very purpose.
 * @param path absolute
 * @param guarded absolute real paths
 * @throws {PaddockError} `copy-failed`
 */
export async function openHostFolder(path: string, guarded: readonly string[]): Promise<HostFolder> {
  let folder = new HostFolder(await open('/', heldFolder))
  const steps = path.split('/')
  let links = 0
  try {
    while (steps.length > 0) {
      const step = steps.shift()!
      if (step === '' || step === '.') continue
      const next = await folder.folder(step).catch(async (error: NodeJS.ErrnoException) => {
        const target = error.code === 'ENOTDIR' || error.code === 'ELOOP' ? await folder.readLink(step).catch(() => null) : null
        if (target === null) throw failed(path, error.code === 'ENOENT' ? 'it does not exist' : error.code === 'ENOTDIR' ? `${step} is not a folder` : `${step} cannot be opened (${error.code})`, error)
        const place = await folder.realPath()
        if (isWithin(place, guarded)) throw failed(path, `${place}/${step} is a link, and a sandbox can write there`)
        if (++links > maxLinks) throw failed(path, 'there are too many links on the way')
        steps.unshift(...target.split('/'))
        return target.startsWith('/') ? new HostFolder(await open('/', heldFolder)) : null
      })
      if (next === null) continue
      await folder.close()
      folder = next
    }
    return folder
  } catch (error) {
    await folder.close()
    throw error
  }
}

/**
 * Opens the folder of what a person named; a link at the end leads on, under the same rule.
 * @returns also the name in it; empty for the top of all
 */
export async function openNamed(path: string, guarded: readonly string[], links = 0): Promise<{ folder: HostFolder; name: string }> {
  const folder = await openHostFolder(dirname(path), guarded)
  const name = basename(path)
  const target = name === '' ? null : await folder.readLink(name).catch(() => null)
  if (target === null) return { folder, name }
  const place = await folder.realPath()
  await folder.close()
  if (isWithin(place, guarded)) throw failed(path, 'it is a link, and a sandbox can write there')
  if (links >= maxLinks) throw failed(path, 'there are too many links on the way')
  return openNamed(resolve(place, target), guarded, links + 1)
}

/** The folder, or null where there is none of that name: what may be made then. @throws {PaddockError} `copy-failed` for a way there that may not be taken */
export async function findHostFolder(path: string, guarded: readonly string[]): Promise<HostFolder | null> {
  try {
    return await openHostFolder(path, guarded)
  } catch (error) {
    const cause = (error as PaddockError).cause as NodeJS.ErrnoException | undefined
    if (cause?.code === 'ENOENT' || cause?.code === 'ENOTDIR') return null
    throw error
  }
}

const isWithin = (path: string, roots: readonly string[]) => roots.some((root) => path === root || path.startsWith(`${root}/`))

function failed(path: string, why: string, cause?: Error): PaddockError {
  const hint = cause ? 'Make it first, or name another place.' : 'Name a place that no such link leads to.'
  return new PaddockError({ code: 'copy-failed', message: `${path} cannot be used: ${why}.`, hint }, { cause })
}
