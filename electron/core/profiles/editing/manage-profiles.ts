import { access, lstat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { imageOf, profileOfImage } from '../../../../shared/domain/profile.ts'
import { profileNameProblem } from '../../../../shared/domain/profile-name.ts'
import { PaddockError } from '../../../../shared/errors/paddock-error.ts'
import { findProfile, findProfiles, type Profile, type ProfileFolders } from '../find-profiles.ts'
import { readParsed } from '../read-parsed.ts'
import { appear, copyFolder, moveNew } from './copy-folder.ts'
import { moveToTrash } from './move-to-trash.ts'
import { readText, refused } from './read-text.ts'

/** Makes a profile that adds to another. @returns its file */
export async function createProfile(folders: ProfileFolders, name: string, from: string | undefined): Promise<string> {
  const folder = await newFolder(folders, name)
  const base = await findProfile(folders, from)
  const text = `# What profile ${base.name} has, and what is added here.\nFROM ${imageOf(base.name)}\n`
  await appear(folder, (made) => writeFile(made.at('Containerfile'), text))
  return join(folder, 'Containerfile')
}

/** Copies a profile, bundled or not, under another name. @returns its file */
export async function duplicateProfile(folders: ProfileFolders, name: string, as: string): Promise<string> {
  const profile = await findProfile(folders, name)
  const folder = await newFolder(folders, as)
  await copyFolder(profile.folder, folder)
  return join(folder, 'Containerfile')
}

/** Renames a person's own profile. @returns its file, and the profiles that are built on the old name */
export async function renameProfile(folders: ProfileFolders, name: string, to: string): Promise<{ file: string; dependents: string[] }> {
  const profile = await findOwn(folders, name, 'renamed')
  const dependents = await builtOn(folders, profile)
  const folder = await newFolder(folders, to)
  await moveNew(profile.folder, folder)
  return { file: join(folder, 'Containerfile'), dependents }
}

/** Moves a person's own profile to the trash of the desktop (freedesktop.org's specification). @returns where it is now, and the profiles that are built on it */
export async function removeProfile(folders: ProfileFolders, name: string, environment: NodeJS.ProcessEnv): Promise<{ trash: string; dependents: string[] }> {
  const profile = await findOwn(folders, name, 'removed')
  const dependents = await builtOn(folders, profile)
  return { trash: await moveToTrash(profile.folder, environment), dependents }
}

/** Copies a profile's folder to where a person wants it. @returns the new folder */
export async function exportProfile(folders: ProfileFolders, name: string, folder: string): Promise<string> {
  const profile = await findProfile(folders, name)
  // Into a folder that is there, under the profile's name; else that folder is made.
  const isThere = await lstat(folder).then((found) => found.isDirectory(), () => false)
  const target = isThere ? join(folder, profile.name) : folder
  await access(join(profile.folder, 'Containerfile')).catch(() => {
    throw refused(profile.folder, 'it has no Containerfile')
  })
  await copyFolder(profile.folder, target)
  return target
}

/** Where a new profile goes. A name that only a bundled profile has is taken too: nobody should hide one by accident. */
export async function newFolder(folders: ProfileFolders, name: string): Promise<string> {
  const problem = profileNameProblem(name)
  if (problem !== null) throw new PaddockError({ code: 'profile-refused', message: `${problem}.` })
  const taken = (await findProfiles(folders)).find((profile) => profile.name === name)
  if (taken) {
    const hint = taken.source === 'bundled' ? 'It comes with Paddock; editing it makes a copy of your own.' : 'Choose another name.'
    throw new PaddockError({ code: 'profile-exists', message: `There is a profile "${name}" already.`, hint })
  }
  return join(folders.user, name)
}

/** The name itself, or with the first number behind it that makes it one of nobody's. */
export async function freeName(folders: ProfileFolders, name: string): Promise<string> {
  const taken = new Set((await findProfiles(folders)).map((profile) => profile.name))
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name.slice(0, maxNumbered)}-${count}`
    if (!taken.has(candidate)) return candidate
  }
}

/** A name may have 63 characters; these leave room for a number. */
const maxNumbered = 58

async function findOwn(folders: ProfileFolders, name: string, done: string): Promise<Profile> {
  const profile = await findProfile(folders, name)
  if (profile.source === 'user') return profile
  throw new PaddockError({ code: 'profile-refused', message: `Profile "${name}" comes with Paddock and cannot be ${done}.`, hint: 'Duplicate it; the copy is yours.' })
}

/** Other profiles whose FROM or COPY names a profile's image. */
async function builtOn(folders: ProfileFolders, profile: Profile): Promise<string[]> {
  const others = (await findProfiles(folders)).filter(({ name }) => name !== profile.name)
  const uses = await Promise.all(
    others.map(async ({ folder }) => {
      const text = await readText(join(folder, 'Containerfile')).catch(() => null)
      const parsed = text === null ? null : await readParsed(folders.readings, text, {}).catch(() => null)
      return parsed?.images.some((image) => profileOfImage(image) === profile.name) ?? false
    }),
  )
  return others.filter((_other, index) => uses[index]).map(({ name }) => name)
}
