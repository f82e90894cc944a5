import { imageStages, readDocument } from '../../../../shared/domain/profile-form/containerfile-document.ts'
import { profileOfImage } from '../../../../shared/domain/profile.ts'
import type { Containerfile } from '../containerfile.ts'
import { findProfiles, type Profile, type ProfileFolders } from '../find-profiles.ts'
import { readParsed } from '../read-parsed.ts'
import { readText } from './read-text.ts'

/** Profiles are built on each other a few deep; a circle ends here. */
const maxDepth = 16

/** The run label that a Containerfile gets from the profiles below it; null where no profile has one, or none can be read. */
export async function inheritedLabel(folders: ProfileFolders, text: string, name: string): Promise<string | null> {
  const profiles = await findProfiles(folders)
  // A text that is being written is another one with every key: it is not remembered, as those of files are.
  let below = profileOfImage(imageStages(readDocument(text)).at(-1)?.image ?? '')
  let above = name
  for (let depth = 1; depth < maxDepth && below !== null && below !== above; depth++) {
    const profile: Profile | undefined = profiles.find((one) => one.name === below)
    const written: string | null = profile ? await readText(`${profile.folder}/Containerfile`).catch(() => null) : null
    const parsed: Containerfile | null = written === null ? null : await readParsed(folders.readings, written, {}).catch(() => null)
    if (!parsed) return null
    const own = parsed.labels.get('run')
    if (own !== undefined) return own
    above = below
    below = profileOfImage(parsed.base)
  }
  return null
}
