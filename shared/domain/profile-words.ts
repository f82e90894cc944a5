import { type ProfileStatus, proxyProfile } from './profile.ts'
import { profileStateInWords } from './words.ts'

/** How a profile stands, for every surface: a kind to draw, a word to read, reasons to explain. */
export interface ProfileWords {
  kind: 'fresh' | 'stale' | 'missing' | 'broken' | 'risky'
  word: string
  /** Plain sentences; empty when there is nothing to explain. */
  reasons: readonly string[]
}

/** Puts the state of a profile into words. Pure. */
export function describeProfile({ error, state, reasons, findings }: Pick<ProfileStatus, 'error' | 'state' | 'reasons' | 'findings'>): ProfileWords {
  if (error !== null) return { kind: 'broken', word: 'broken', reasons: [error] }
  const dangers = findings.filter(({ level }) => level === 'high').map(({ message }) => message)
  const kind = state === 'fresh' && dangers.length > 0 ? 'risky' : profileStateInWords({ error, state })
  return { kind, word: kind, reasons: [...reasons, ...dangers] }
}

/** What a profile that cannot be launched is for; a sentence. Pure. */
export function purposeOf({ name }: Pick<ProfileStatus, 'name'>): string {
  return name === proxyProfile ? 'The proxy of sandboxes with an allowlist is made of it; it is not launched itself.' : 'Other profiles build on it; it is not launched itself.'
}
