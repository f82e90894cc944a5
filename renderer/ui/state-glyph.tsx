import { Circle, CircleAlert, CircleCheck, CircleDashed } from 'lucide-react'
import type { ProfileStatus } from '../../shared/domain/profile.ts'
import { profileStateInWords } from '../../shared/domain/words.ts'
import { speakingIcon } from './icon.ts'

const glyphs = {
  fresh: { Glyph: CircleCheck, colour: 'good' },
  stale: { Glyph: CircleDashed, colour: 'amber' },
  missing: { Glyph: Circle, colour: 'quiet' },
  broken: { Glyph: CircleAlert, colour: 'bad-text' },
} as const

/** A profile's state as a shape of its own, named for who cannot see it. */
export function StateGlyph({ profile }: { profile: ProfileStatus }) {
  const word = profileStateInWords(profile)
  const { Glyph, colour } = glyphs[word]
  return <Glyph {...speakingIcon} className={colour} aria-label={word} />
}
