import * as z from 'zod/mini'

/** What was found of one pinned package. */
export const pinReportSchema = z.object({
  /** The profile whose Containerfile has the pin. */
  profile: z.string(),
  /** The npm package. */
  npm: z.string(),
  current: z.string(),
  /**
   * `current`: nothing newer; `newer`: `next` can be taken; `held`: all that is newer is too young;
   * `failed`: the registry gave no answer that can be trusted.
   */
  state: z.enum(['current', 'newer', 'held', 'failed']),
  /** The newest stable version that is old enough, with its integrity; null when there is none newer. */
  next: z.nullable(z.object({ version: z.string(), integrity: z.string(), ageDays: z.number() })),
  /** A newer version that is too young. */
  held: z.nullable(z.object({ version: z.string(), ageDays: z.number() })),
  /** Why it failed; null when it did not. */
  error: z.nullable(z.string()),
})
export type PinReport = z.infer<typeof pinReportSchema>

export const upgradeReportSchema = z.object({
  pins: z.array(pinReportSchema),
  /** Containerfiles that were written; empty when anything failed. */
  written: z.array(z.string()),
  /** Base images that do not come from a profile, and when they were made. */
  bases: z.array(z.object({ profile: z.string(), image: z.string(), created: z.nullable(z.string()) })),
})
export type UpgradeReport = z.infer<typeof upgradeReportSchema>

/** A stable version and when it was published. */
export interface Release {
  version: string
  published: Date
}

/** Versions younger than so many days are held back: what was taken over is noticed within a day or two, as a rule. */
export const defaultMinAgeDays = 2

const dayMs = 24 * 60 * 60_000

export const ageInDays = (published: Date, now: Date) => Math.floor((now.getTime() - published.getTime()) / dayMs)

/** Whether a version may break what works with another: its first number that is not 0 differs (semver.org, 4 and 8). Pure. */
export function mayBreak(current: string, next: string): boolean {
  const [from, to] = [current, next].map((version) => version.split(/[.+-]/).slice(0, 3).map(Number))
  const first = from!.findIndex((number, at) => number !== 0 || to![at] !== 0)
  return from![first] !== to![first]
}

/** `1 day`, `12 days`. */
export const daysInWords = (count: number) => `${count} day${count === 1 ? '' : 's'}`

/**
 * Which release to take: the newest that is old enough, and which newer one is held back. Pure.
 * @param newer stable releases above the current one, the newest first
 */
export function chooseRelease(newer: readonly Release[], minAgeDays: number, now: Date): { next: Release | null; held: Release | null } {
  const isOldEnough = ({ published }: Release) => now.getTime() - published.getTime() >= minAgeDays * dayMs
  const next = newer.find(isOldEnough) ?? null
  const newest = newer[0]
  return { next, held: newest && newest !== next ? newest : null }
}
