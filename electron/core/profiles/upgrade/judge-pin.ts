import { gt, lte, prerelease, rcompare, valid } from 'semver'
import type { Pin } from '../../../../shared/domain/containerfile/pins.ts'
import { ageInDays, chooseRelease, type PinReport, type Release } from '../../../../shared/domain/upgrade.ts'
import { type NpmOptions, type PackageFacts, viewPackage, viewVersion } from './npm-view.ts'

/** What decides whether a version is taken. */
export interface UpgradeRules {
  minAgeDays: number
  now: Date
}

/** Looks for a newer version of a pinned package. Never throws: what fails is told in the report. */
export async function judgePin(profile: string, pin: Pin, rules: UpgradeRules, options: NpmOptions): Promise<PinReport> {
  const report: PinReport = { profile, npm: pin.npm, current: pin.version, state: 'current', next: null, held: null, error: null }
  try {
    if (valid(pin.version) === null) throw new Error(`${pin.version} is not a version`)
    const facts = await viewPackage(pin.npm, options)
    // The same version with other content is what a taken-over registry looks like.
    if (facts.latest === pin.version && facts.integrity !== pin.integrity) throw new Error('the registry gives another integrity for the version that is pinned')
    return { ...report, ...(await findNext(pin, facts, rules, options)) }
  } catch (error) {
    return { ...report, state: 'failed', error: (error as Error).message }
  }
}

async function findNext(pin: Pin, facts: PackageFacts, rules: UpgradeRules, options: NpmOptions): Promise<Pick<PinReport, 'state' | 'next' | 'held'>> {
  const candidates = newerReleases(pin.version, facts)
  for (;;) {
    const { next, held } = chooseRelease(candidates, rules.minAgeDays, rules.now)
    const heldBack = held && { version: held.version, ageDays: ageInDays(held.published, rules.now) }
    if (!next) return { state: heldBack ? 'held' : 'current', next: null, held: heldBack }
    const integrity = next.version === facts.latest ? facts.integrity : await viewVersion(pin.npm, next.version, options)
    if (integrity !== null) return { state: 'newer', next: { version: next.version, integrity, ageDays: ageInDays(next.published, rules.now) }, held: heldBack }
    candidates.splice(candidates.indexOf(next), 1)
  }
}

/** Stable versions above the pinned one and not above what the publisher calls the latest, the newest first. */
function newerReleases(current: string, { published, latest }: PackageFacts): Release[] {
  return [...published]
    .map(([version, date]) => ({ version, published: date }))
    .filter(({ version }) => valid(version) !== null && prerelease(version) === null && gt(version, current) && (prerelease(latest) !== null || lte(version, latest)))
    .sort((a, b) => rcompare(a.version, b.version))
}
