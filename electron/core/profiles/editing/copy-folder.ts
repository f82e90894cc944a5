import { constants, copyFile, lstat, mkdir, mkdtemp, readdir, readlink, rename, rmdir, symlink } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { PaddockError } from '../../../../shared/errors/paddock-error.ts'
import { emptyFolder, holdFolder, type HostFolder } from '../../files/host-folder.ts'
import { refused } from './read-text.ts'

const maxBytes = 256 * 1024 * 1024
const maxEntries = 5000

/**
 * Copies a profile's folder. The copy appears whole or not at all, and never takes the place of what is there.
 * @param finish changes the copy before it appears
 * @throws {PaddockError} `profile-refused` for links that lead out, for what is neither file, folder nor link, and for too much; `profile-exists`
 */
export async function copyFolder(source: string, target: string, finish: (copy: HostFolder) => Promise<void> = async () => {}): Promise<void> {
  await appear(target, async (copy) => {
    const budget = { bytes: 0, entries: 0 }
    await copyInto(source, source, copy, budget)
    await finish(copy)
  })
}

/**
 * Makes a folder: filled beside its place, then moved there. An agent may be at work where a person exports to: every
 * folder on the way is held, so that what is put in its place meanwhile changes nothing.
 */
export async function appear(target: string, fill: (folder: HostFolder) => Promise<void>): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const parent = await holdFolder(dirname(target))
  try {
    // A leading dot: what a crash leaves is no profile.
    const name = basename(await mkdtemp(parent.at(`.${basename(target)}-`)))
    const scratch = await parent.folder(name)
    try {
      await mkdir(scratch.at('new'), { mode: 0o755 })
      const folder = await scratch.folder('new')
      try {
        await fill(folder)
        await moveNew(scratch.at('new'), parent.at(basename(target)), target)
        if ((await folder.realPath()) !== join(await parent.realPath(), basename(target))) throw refused(target, 'something else was put in its place')
      } finally {
        await folder.close()
      }
    } finally {
      // What an agent holds on to there is not worth the reason for a failure.
      await emptyFolder(scratch).catch(() => {})
      await scratch.close()
      await rmdir(parent.at(name)).catch(() => {})
    }
  } catch (error) {
    const { path } = error as NodeJS.ErrnoException
    throw path?.startsWith('/proc/self/fd/') ? Object.assign(error as Error, { path: join(target, basename(path)) }) : error
  } finally {
    await parent.close()
  }
}

/** Moves a folder to where nothing is. rename(2) takes the place of an empty folder only, which holds no profile. */
export async function moveNew(from: string, to: string, shown = to): Promise<void> {
  if (await lstat(to).catch(() => null)) throw exists(shown)
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOTEMPTY' || error.code === 'EEXIST' || error.code === 'ENOTDIR' ? exists(shown) : error
  })
}

const exists = (path: string) => new PaddockError({ code: 'profile-exists', message: `${path} exists already.`, hint: 'Choose another name, or remove that one first.' })

async function copyInto(root: string, from: string, to: HostFolder, budget: { bytes: number; entries: number }): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), to.at(entry.name)]
    if (++budget.entries > maxEntries) throw refused(root, `it holds more than ${maxEntries} files`)
    if (entry.isSymbolicLink()) {
      const link = await readlink(source)
      if (leadsOut(root, source, link)) throw refused(source, `it is a link out of the folder, to ${link}`)
      await symlink(link, target)
    } else if (entry.isDirectory()) {
      await mkdir(target)
      const inner = await to.folder(entry.name)
      await copyInto(root, source, inner, budget).finally(() => inner.close())
    } else if (entry.isFile()) {
      budget.bytes += (await lstat(source)).size
      if (budget.bytes > maxBytes) throw refused(root, `it holds more than ${maxBytes / 1024 ** 2} MiB`)
      await copyFile(source, target, constants.COPYFILE_EXCL)
    } else throw refused(source, 'it is neither a file nor a folder')
  }
}

function leadsOut(root: string, source: string, link: string): boolean {
  const inside = relative(root, resolve(dirname(source), link))
  return isAbsolute(link) || inside === '..' || inside.startsWith('../')
}
