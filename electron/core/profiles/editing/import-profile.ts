import { chmod, copyFile, lstat, realpath, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { MadeProfile } from '../../../../shared/contract/profile-contract.ts'
import { importDevcontainer, type ImportedDevcontainer } from '../../../../shared/domain/devcontainer/import-devcontainer.ts'
import { type Devcontainer, readDevcontainer } from '../../../../shared/domain/devcontainer/read-devcontainer.ts'
import { adoptContainerfile } from '../../../../shared/domain/profile-form/adopt-containerfile.ts'
import { profileNameFrom } from '../../../../shared/domain/profile-name.ts'
import type { HostFolder } from '../../files/host-folder.ts'
import { openInside } from '../../files/open-inside.ts'
import type { ProfileFolders } from '../find-profiles.ts'
import { appear } from './copy-folder.ts'
import { copyNamed } from './copy-named.ts'
import { inheritedLabel } from './inherited-label.ts'
import { freeName, newFolder } from './manage-profiles.ts'
import { readText, refused } from './read-text.ts'

/** What is to become a profile, and the folder that its COPY lines mean. */
interface Imported extends ImportedDevcontainer {
  context: string
  /** Where that folder has to lie when it is opened. */
  project: string
  suggestedName: string
}

/** What the profile is to be called. */
interface ImportName {
  /** Absent: as the folder. */
  name?: string | undefined
  /** Add a number where the name is taken. */
  isNumbered?: boolean
}

const candidates = ['.devcontainer/devcontainer.json', '.devcontainer.json', 'devcontainer.json', 'Containerfile', 'Dockerfile']

/**
 * Makes a profile of a Containerfile or a devcontainer.json, or of a folder with one. Files that it copies come along,
 * as far as they are named one by one and lie in its folder.
 * @throws {PaddockError} `profile-refused`, `profile-exists`
 */
export async function importProfile(folders: ProfileFolders, path: string, { name, isNumbered = false }: ImportName = {}): Promise<MadeProfile> {
  const file = await findFile(path)
  const imported = file.endsWith('.json') ? await fromDevcontainer(folders, file) : await fromContainerfile(file)
  const wanted = name ?? profileNameFrom(imported.suggestedName)
  const chosen = isNumbered ? await freeName(folders, wanted) : wanted
  const folder = await newFolder(folders, chosen)
  const notes = [...(chosen === wanted ? [] : [`There is a profile ${wanted} already, so this one is named ${chosen}.`]), ...imported.notes]
  await appear(folder, async (made) => {
    notes.push(...(await copyNamed(imported, made.path)))
    if (imported.needsEntrypoint) await copyFile(join(folders.bundled, 'minimal/entrypoint'), made.at('paddock-entrypoint'))
    for (const [each, content] of Object.entries(imported.files)) {
      await writeFile(made.at(each), content)
      await chmod(made.at(each), 0o755)
    }
    await writeFile(made.at('Containerfile'), imported.text)
  })
  return { name: chosen, file: join(folder, 'Containerfile'), notes }
}

async function findFile(path: string): Promise<string> {
  const found = await lstat(path).catch(() => null)
  if (!found) throw refused(path, 'it does not exist')
  if (!found.isDirectory()) return path
  for (const candidate of candidates) if (await lstat(join(path, candidate)).catch(() => null)) return join(path, candidate)
  throw refused(path, `it has none of: ${candidates.join(', ')}`)
}

async function fromContainerfile(file: string): Promise<Imported> {
  const text = await readText(file)
  if (text === null) throw refused(file, 'it does not exist')
  const context = dirname(resolve(file))
  return { ...adoptContainerfile(text), files: {}, context, project: context, suggestedName: basename(dirname(resolve(file))) }
}

async function fromDevcontainer(folders: ProfileFolders, file: string): Promise<Imported> {
  const text = await readText(file)
  if (text === null) throw refused(file, 'it does not exist')
  const config = parse(file, text)
  const folder = dirname(resolve(file))
  const project = basename(folder).startsWith('.devcontainer') ? dirname(folder) : basename(dirname(folder)) === '.devcontainer' ? dirname(dirname(folder)) : folder
  const named = config.build?.dockerfile ?? config.dockerFile
  const context = resolve(folder, config.build?.context ?? '.')
  const dockerfile = named === undefined ? null : await readInside(project, resolve(folder, named))
  await (await folderInside(project, context)).close()
  const label = await inheritedLabel(folders, `FROM localhost/paddock:latest\n`, '')
  const imported = importDevcontainer(config, dockerfile, label)
  return { ...imported, context, project, suggestedName: config.name ?? basename(project) }
}

function parse(file: string, text: string): Devcontainer {
  try {
    return readDevcontainer(text)
  } catch (error) {
    throw refused(file, (error as Error).message)
  }
}

async function readInside(project: string, path: string): Promise<string> {
  const folder = await folderInside(project, dirname(path))
  try {
    const text = await readText(folder.at(basename(path)), path)
    if (text === null) throw refused(path, 'it does not exist')
    return text
  } finally {
    await folder.close()
  }
}

/** A folder that a file names must lie in the project, links followed. */
async function folderInside(project: string, path: string): Promise<HostFolder> {
  const folder = await openInside(await realpath(project), path)
  if (folder === null) throw refused(path, `it is not in ${project}`)
  return folder
}
