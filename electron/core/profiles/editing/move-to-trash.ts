import { lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'

/**
 * Moves a file or folder to the trash, from where a file manager can put it back. It is renamed, never copied: what lies
 * on another file system than the home goes to that one's own trash.
 * Source: freedesktop.org, Trash specification 1.0; of its shared `.Trash` folders, which are optional, none is used.
 * @returns where it is now
 */
export async function moveToTrash(path: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const { trash, recordedPath } = await findTrash(resolve(path), environment)
  for (const folder of ['files', 'info']) await mkdir(join(trash, folder), { recursive: true, mode: 0o700 })
  const text = `[Trash Info]\nPath=${recordedPath.split('/').map(encodeURIComponent).join('/')}\nDeletionDate=${localTime(new Date())}\n`
  const { name, info } = await reserve(trash, basename(path), text)
  const target = join(trash, 'files', name)
  try {
    await rename(path, target)
  } catch (error) {
    await rm(info, { force: true })
    throw error
  }
  return target
}

async function findTrash(path: string, environment: NodeJS.ProcessEnv): Promise<{ trash: string; recordedPath: string }> {
  const set = environment.XDG_DATA_HOME
  const data = set?.startsWith('/') ? set : join(homedir(), '.local/share')
  await mkdir(data, { recursive: true, mode: 0o700 })
  const device = (await lstat(path)).dev
  if ((await lstat(data)).dev === device) return { trash: join(data, 'Trash'), recordedPath: path }
  // The top folder of its file system.
  let top = dirname(path)
  while (dirname(top) !== top && (await lstat(dirname(top))).dev === device) top = dirname(top)
  return { trash: join(top, `.Trash-${process.getuid!()}`), recordedPath: relative(top, path) }
}

/** Writes the record first and exclusively, as the specification demands: it is what makes a name one's own. */
async function reserve(trash: string, wanted: string, text: string): Promise<{ name: string; info: string }> {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}.${count}`
    const info = join(trash, 'info', `${name}.trashinfo`)
    const file = await open(info, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return null
      throw error
    })
    if (!file) continue
    try {
      await file.writeFile(text)
    } finally {
      await file.close()
    }
    return { name, info }
  }
}

/** `YYYY-MM-DDThh:mm:ss` in the person's own time zone. */
function localTime(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
