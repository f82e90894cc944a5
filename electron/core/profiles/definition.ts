import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { profileOfImage } from '../../../shared/domain/profile.ts'
import { type Containerfile, parseContainerfile } from './containerfile.ts'
import { findProfiles, type Profile, type ProfileFolders, readContainerfile } from './find-profiles.ts'

/** A profile with its Containerfile read. */
export interface Definition {
  profile: Profile
  text: string
  containerfile: Containerfile
  /** Definitions of the profiles that build the images under this one, nearest first. */
  parents: Definition[]
}

/**
 * Reads a profile and, through its FROM lines, the profiles it is built on.
 * @throws {PaddockError} `profile-broken` when one does not parse or they go round in a circle
 */
export async function readDefinition(
  profile: Profile,
  folders: ProfileFolders,
  buildArgs: Readonly<Record<string, string>>,
  above: readonly string[] = [],
): Promise<Definition> {
  if (above.includes(profile.name)) {
    throw broken(profile, `it is built from itself (${[...above, profile.name].join(' → ')})`)
  }
  const text = await readContainerfile(profile)
  let containerfile: Containerfile
  try {
    containerfile = parseContainerfile(text, buildArgs)
  } catch (error) {
    throw broken(profile, (error as Error).message)
  }
  const needed = containerfile.images.map(profileOfImage).filter((name) => name !== null)
  if (needed.length === 0) return { profile, text, containerfile, parents: [] }
  const all = await findProfiles(folders)
  const parents = needed.map((name) => {
    const parent = all.find((candidate) => candidate.name === name)
    if (!parent) throw broken(profile, `it is built from profile "${name}", which does not exist`)
    return readDefinition(parent, folders, buildArgs, [...above, profile.name])
  })
  return { profile, text, containerfile, parents: await Promise.all(parents) }
}

function broken(profile: Profile, why: string): PaddockError {
  return new PaddockError({
    code: 'profile-broken',
    message: `Profile "${profile.name}" is broken: ${why}.`,
    hint: `Mend ${profile.folder}/Containerfile.`,
  })
}

/** The run label of a profile: its own, or the nearest one that it inherits; undefined when there is none. */
export function runLabelOf(definition: Definition): string | undefined {
  const own = definition.containerfile.labels.get('run')
  if (own !== undefined) return own
  const parent = definition.parents.find(({ profile }) => profileOfImage(definition.containerfile.base) === profile.name)
  return parent && runLabelOf(parent)
}
