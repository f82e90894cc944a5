import { profileNamePattern } from './profile.ts'

/** Why a name cannot be a new profile's; null when it can. Pure. */
export function profileNameProblem(name: string): string | null {
  if (name === 'latest') return '"latest" would take the place of the default profile; name it "default" if that is meant'
  if (profileNamePattern.test(name)) return null
  return `"${name}" cannot be the name of a profile: small letters, digits, dots, dashes and underscores, at most 63, a letter or digit first`
}

/** A name for a profile out of any text, such as a folder's name. Pure. */
export function profileNameFrom(text: string): string {
  const name = text.toLowerCase().normalize('NFKD').replace(/[^a-z0-9._-]+/g, '-').replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '').slice(0, 63)
  return profileNameProblem(name) === null ? name : 'imported'
}

/** What to say of a new name while it is typed; null when it can be had, and while there is none. Pure. */
export function newNameProblem(name: string, taken: readonly string[]): string | null {
  if (name === '') return null
  if (taken.includes(name)) return 'There is a profile of this name already.'
  if (name === 'latest') return '“latest” would take the place of default.'
  if (name.length > 63) return 'At most 63 characters.'
  if (!/^[a-z0-9]/.test(name)) return 'It begins with a small letter or a digit.'
  return profileNameProblem(name) === null ? null : 'Only small letters, digits, dots, dashes and underscores.'
}
