import { profileOfImage } from '../../../shared/domain/profile.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { Containerfile } from './containerfile.ts'
import { findProfiles, type Profile, type ProfileFolders, readContainerfile } from './find-profiles.ts'
import { readParsed } from './read-parsed.ts'

/** A profile with its Containerfile read. */
export interface Definition {
  profile: Profile
  text: string
  containerfile: Containerfile
  /** The profiles that build the images under this one. */
  parents: Profile[]
}

/**
 * Reads a profile and finds, through its FROM lines, the profiles it is built on.
 * @throws {PaddockError} `profile-broken`
 */
export async function readDefinition(profile: Profile, folders: ProfileFolders, buildArgs: Readonly<Record<string, string>>): Promise<Definition> {
  const text = await readContainerfile(profile)
  const containerfile = await readParsed(folders.readings, text, buildArgs).catch((error: Error) => {
    throw brokenProfile(profile, error.message)
  })
  const needed = containerfile.images.map(profileOfImage).filter((name) => name !== null)
  if (needed.length === 0) return { profile, text, containerfile, parents: [] }
  const all = await findProfiles(folders)
  const parents = needed.map((name) => {
    const parent = all.find((candidate) => candidate.name === name)
    if (!parent) throw brokenProfile(profile, `it is built from profile "${name}", which does not exist`)
    return parent
  })
  return { profile, text, containerfile, parents }
}

/** The error `profile-broken`. @param why a clause without a full stop */
export function brokenProfile(profile: Profile, why: string): PaddockError {
  return new PaddockError({
    code: 'profile-broken',
    message: `Profile "${profile.name}" is broken: ${why}.`,
    hint: `Mend ${profile.folder}/Containerfile.`,
  })
}
