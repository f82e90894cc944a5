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
 * @throws {PaddockError} `project-refused`
 */
export async function openProject(named: string, cwd: string, paths: Paths): Promise<Project> {
  const wanted = resolve(cwd, named)
  const folder = await realpath(wanted).catch((error: NodeJS.ErrnoException) => {
    throw refused(wanted, error.code === 'ENOENT' ? 'it does not exist' : `it cannot be opened (${error.code})`)
  })
  if (!(await stat(folder)).isDirectory()) throw refused(folder, 'it is not a folder')
  if (folder.includes('\ufffd')) throw refused(folder, 'its name is not valid UTF-8')
  const [home, ...own] = await Promise.all([paths.home, paths.config, paths.data, paths.state, paths.cache].map((path) => realpath(path).catch(() => path)))
  const why = refuseProject(folder, { home: home!, own })
  if (why !== null) throw refused(folder, why)
  if (!(await can(folder, constants.R_OK | constants.X_OK))) throw refused(folder, 'you may not read it')
  const notes = (await can(folder, constants.W_OK)) ? [] : [`You may not write in ${folder}, so neither may the sandbox.`]
  return { folder, notes }
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
