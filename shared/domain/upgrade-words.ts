import { agents } from './agents.ts'
import { daysInWords, mayBreak, type PinReport, type UpgradeReport } from './upgrade.ts'

/** How a pinned package stands: a shape to draw, a word, and what there is to know. */
export interface PinWords {
  kind: 'fresh' | 'stale' | 'missing' | 'broken'
  word: 'up to date' | 'newer' | 'held back' | 'not known'
  /** The agent's own name, else the package's. */
  name: string
  /** Plain clauses, without a full stop. */
  notes: readonly string[]
}

/** Puts what was found of a package into words. Pure. */
export function pinInWords({ npm, state, current, next, held, error }: PinReport): PinWords {
  const name = agents.find((agent) => agent.npm === npm)?.name ?? npm
  const heldBack = held && (next ? `${held.version} is held back, ${ageInWords(held.ageDays)}` : `${held.version} is ${ageInWords(held.ageDays)}`)
  const notes = [next && (mayBreak(current, next.version) ? `${ageInWords(next.ageDays)}, a new major version` : ageInWords(next.ageDays)), heldBack, error].filter((note) => note !== null)
  if (state === 'failed') return { kind: 'broken', word: 'not known', name, notes }
  if (state === 'newer') return { kind: 'stale', word: 'newer', name, notes }
  if (state === 'held') return { kind: 'missing', word: 'held back', name, notes }
  return { kind: 'fresh', word: 'up to date', name, notes }
}

const ageInWords = (days: number) => (days === 0 ? 'less than a day old' : `${daysInWords(days)} old`)

/** Why versions were held back; null when none was. Pure. @param minAgeDays younger ones were */
export function heldBackInWords({ pins }: UpgradeReport, minAgeDays: number): string | null {
  if (!pins.some(({ held }) => held !== null)) return null
  return `Versions younger than ${daysInWords(minAgeDays)} are held back: one that was tampered with is mostly found and withdrawn by then.`
}

/** The whole report in a sentence or two. Pure. */
export function upgradeInWords({ pins, written }: UpgradeReport): string {
  const count = (state: PinReport['state']) => pins.filter((pin) => pin.state === state).length
  if (written.length > 0) return 'The pins were written. The image is stale now: the next launch builds it anew.'
  if (pins.length === 0) return 'Nothing is pinned.'
  if (count('failed') > 0) return `The registry gave no answer to trust for ${count('failed')} of ${pins.length}. Nothing was changed.`
  if (count('newer') > 0) return `${count('newer')} of ${pins.length} have a newer version.`
  return count('held') > 0 ? 'Nothing newer is old enough to be taken.' : 'All that is pinned is up to date.'
}

/** Profiles that come with Paddock and in which pins would be written, in a copy of the person's own. Pure. */
export function copiedByUpgrade({ pins }: UpgradeReport, isBundled: (profile: string) => boolean): string[] {
  return [...new Set(pins.filter(({ state, profile }) => state === 'newer' && isBundled(profile)).map(({ profile }) => profile))]
}
