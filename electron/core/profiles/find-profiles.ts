import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { baseProfile, defaultProfile, imageOf, profileNamePattern, type ProfileSource } from '../../../shared/domain/profile.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'

/** A profile's place on disk. */
export interface Profile {
  name: string
  image: string
  source: ProfileSource
  folder: string
}

export interface ProfileFolders {
  bundled: string
  user: string
  /** Where readings of Containerfiles are remembered. */
  readings: string
}

/** A profile folder of this name takes the place of the default profile. */
const takeover = 'latest'

/**
 * Lists all profiles; a person's own win over bundled ones of the same name, and a folder `latest` wins over every
 * `default`.
 */
export async function findProfiles(folders: ProfileFolders): Promise<Profile[]> {
  const found = new Map<string, Profile>()
  let latest: string | null = null
  const sources = ['bundled', 'user'] as const
  const names = await Promise.all(sources.map((source) => profileNames(folders[source])))
  for (const [index, source] of sources.entries()) {
    for (const name of names[index]!) {
      const folder = join(folders[source], name)
      if (name === takeover) latest = folder
      else found.set(name, { name, image: imageOf(name), source, folder })
    }
  }
  if (latest) found.set(defaultProfile, { name: defaultProfile, image: imageOf(defaultProfile), source: 'user', folder: latest })
  return [...found.values()].sort((a, b) => rank(a.name) - rank(b.name) || a.name.localeCompare(b.name))
}

const rank = (name: string) => (name === defaultProfile ? 0 : name === baseProfile ? 2 : 1)

async function profileNames(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    return entries.filter((entry) => !entry.isFile() && profileNamePattern.test(entry.name)).map(({ name }) => name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/**
 * Finds a profile by the name a person gave; none means the default.
 * @throws {PaddockError} `profile-unknown`, naming what there is
 */
export async function findProfile(folders: ProfileFolders, name: string = defaultProfile): Promise<Profile> {
  const profiles = await findProfiles(folders)
  const hasTakeover = profiles.some((profile) => profile.folder.endsWith(`/${takeover}`))
  const wanted = name === takeover && hasTakeover ? defaultProfile : name
  const profile = profiles.find((candidate) => candidate.name === wanted)
  if (profile) return profile
  throw new PaddockError({
    code: 'profile-unknown',
    message: `There is no profile "${name}".`,
    hint: `Profiles are: ${profiles.map((candidate) => candidate.name).join(', ') || 'none'}. Your own live in ${folders.user}.`,
  })
}

/**
 * Reads a profile's Containerfile.
 * @throws {PaddockError} `profile-broken`
 */
export async function readContainerfile(profile: Profile): Promise<string> {
  const file = join(profile.folder, 'Containerfile')
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new PaddockError({
      code: 'profile-broken',
      message: `Profile "${profile.name}" is broken: ${file} ${missing ? 'is missing' : `cannot be read (${(error as Error).message})`}.`,
      hint: 'A profile is a folder with a file named Containerfile.',
    })
  }
}
