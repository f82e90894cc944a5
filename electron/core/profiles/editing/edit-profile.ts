import { chmod, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProfileText, SavedProfile } from '../../../../shared/contract/profile-contract.ts'
import { PaddockError } from '../../../../shared/errors/paddock-error.ts'
import { findProfile, type Profile, type ProfileFolders } from '../find-profiles.ts'
import { appear, copyFolder } from './copy-folder.ts'
import { inheritedLabel } from './inherited-label.ts'
import { newFolder } from './manage-profiles.ts'
import { hashOf, maxTextBytes, readText, refused } from './read-text.ts'

const fileOf = (profile: Profile) => join(profile.folder, 'Containerfile')

/**
 * A profile's Containerfile for editing.
 * @throws {PaddockError} `profile-unknown`, `profile-broken`, `profile-refused`
 */
export async function openProfile(folders: ProfileFolders, name: string | undefined): Promise<ProfileText> {
  const profile = await findProfile(folders, name)
  const text = await readText(fileOf(profile))
  if (text === null) throw missing(profile)
  return { name: profile.name, source: profile.source, file: fileOf(profile), text, hash: hashOf(text), inheritedLabel: await inheritedLabel(folders, text, profile.name) }
}

const missing = (profile: Profile) => new PaddockError({
  code: 'profile-broken', message: `Profile "${profile.name}" is broken: ${fileOf(profile)} is missing.`, hint: 'A profile is a folder with a file named Containerfile.',
})

/**
 * Writes a profile's Containerfile whole, if it is still the one that was read. A bundled profile is read-only: its
 * user copy is written, which from then on wins over it.
 * @param hash of the text that the change started from; empty where it is known that there is none, and a folder that is gone is made
 * @returns `conflict` with both texts where someone else changed the file
 */
export async function saveProfile(folders: ProfileFolders, { name, text, hash }: { name: string; text: string; hash: string }): Promise<SavedProfile> {
  if (Buffer.byteLength(text) > maxTextBytes) throw refused(name, `more than ${maxTextBytes} bytes are no Containerfile`)
  if (text.includes('\0')) throw refused(name, 'it is no text')
  const profile = await findProfile(folders, name).catch((error: unknown) => {
    if (hash === '' && error instanceof PaddockError && error.report.code === 'profile-unknown') return null
    throw error
  })
  if (!profile) {
    const folder = await newFolder(folders, name)
    await appear(folder, (made) => writeFile(made.at('Containerfile'), text))
    return { kind: 'saved', file: join(folder, 'Containerfile'), hash: hashOf(text), isCopy: false }
  }
  const theirs = await readText(fileOf(profile))
  const current = theirs === null ? '' : hashOf(theirs)
  if (current !== hash) return { kind: 'conflict', mine: text, theirs, hash: current }
  const own = await ownProfile(folders, profile)
  const { default: writeFileAtomic } = await import('write-file-atomic')
  await writeFileAtomic(fileOf(own), text)
  return { kind: 'saved', file: fileOf(own), hash: hashOf(text), isCopy: own !== profile }
}

/** The profile if it is the person's own, else a copy of it that is. */
export async function ownProfile(folders: ProfileFolders, profile: Profile): Promise<Profile> {
  if (profile.source === 'user') return profile
  const folder = join(folders.user, profile.name)
  await copyFolder(profile.folder, folder, async (copy) => {
    // What an installed app holds may be read-only even for its owner.
    const file = copy.at('Containerfile')
    await chmod(file, (await stat(file)).mode | 0o600)
  })
  return { ...profile, source: 'user', folder }
}
