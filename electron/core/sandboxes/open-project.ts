import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { refuseProject } from '../../../shared/domain/project.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { Paths } from '../store/paths.ts'

/** A folder that may be mounted as the project. */
export interface Project {
  /** Absolute, links resolved. */
  folder: string
  notes: string[]
}

/**
 * Checks the folder that a person named.
 * @param throwaway a folder of Paddock's own that was made to be mounted, links resolved
 * @throws {PaddockError} `project-refused`
 */
export async function openProject(named: string, cwd: string, paths: Paths, throwaway?: string): Promise<Project> {
  // An unset variable in a script must not mean the folder that one happens to stand in.
  if (named === '') throw refused('An empty name', 'it names no folder')
  const wanted = resolve(cwd, named)
  const folder = await realpath(wanted).catch((error: NodeJS.ErrnoException) => {
    throw refused(wanted, error.code === 'ENOENT' ? 'it does not exist' : `it cannot be opened (${error.code})`)
  })
  if (!(await stat(folder)).isDirectory()) throw refused(folder, 'it is not a folder')
  if (folder.includes('\ufffd')) throw refused(folder, 'its name is not valid UTF-8')
  // Podman reads --mount with Go's encoding/csv, which makes a plain line feed of these two: it would be another folder.
  if (folder.includes('\r\n')) throw refused(folder, 'its path holds a carriage return before a line feed')
  const [home, ...own] = await Promise.all([paths.home, paths.config, paths.data, paths.state, paths.cache].map((path) => realpath(path).catch(() => path)))
  const why = refuseProject(folder, { home: home!, own: folder === throwaway ? [] : own })
  if (why !== null) throw refused(folder, why)
  if (!(await can(folder, constants.R_OK | constants.X_OK))) throw refused(folder, 'you may not read it')
  const notes: string[] = []
  // Where a sandbox writes, an agent may have put a link in the place of a project inside.
  if (folder !== wanted) notes.push(`${wanted} is reached through a link: the project is ${folder}.`)
  if (!(await can(folder, constants.W_OK))) notes.push(`You may not write in ${folder}, so neither may the sandbox.`)
  return { folder, notes }
}

/**
 * Looks once more before the launch: a build took minutes, and a sandbox on the folder above can have put a link in the
 * project's place meanwhile, which Podman would follow.
 * @throws {PaddockError} `project-refused`
 */
export async function confirmProject({ folder }: Project): Promise<void> {
  const now = await realpath(folder).catch(() => null)
  if (now !== folder) throw refused(folder, now === null ? 'it is gone' : 'a link was put in its place')
}

async function can(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(() => true, () => false)
}

function refused(folder: string, why: string): PaddockError {
  return new PaddockError({
    code: 'project-refused',
    message: `${folder} cannot be the project: ${why}.`,
    hint: 'Go into a project’s own folder, or name one with --project DIR.',
  })
}
