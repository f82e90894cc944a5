import { applyEdits } from '../../../../shared/domain/containerfile/edit.ts'
import { readInstructions } from '../../../../shared/domain/containerfile/instructions.ts'
import { findPins, type Pin } from '../../../../shared/domain/containerfile/pins.ts'
import { profileOfImage } from '../../../../shared/domain/profile.ts'
import type { PinReport, UpgradeReport } from '../../../../shared/domain/upgrade.ts'
import { PaddockError } from '../../../../shared/errors/paddock-error.ts'
import type { ImageFacts } from '../../engine/images.ts'
import { type Definition, readDefinition } from '../definition.ts'
import { saveProfile } from '../editing/edit-profile.ts'
import { hashOf } from '../editing/read-text.ts'
import type { Profile, ProfileFolders } from '../find-profiles.ts'
import { judgePin, type UpgradeRules } from './judge-pin.ts'
import type { NpmOptions } from './npm-view.ts'

/** npm is a process each; the registry may be slow. */
const atOnce = 4

export interface UpgradeRequest extends UpgradeRules {
  folders: ProfileFolders
  /** Write what was found; never when anything failed. */
  apply: boolean
  /** Versions that the person agreed to; what is found instead of them by now is not written. Absent means all. */
  shown?: readonly { profile: string; npm: string; version: string }[] | undefined
  /** A package was asked for. */
  onJudged?: (pin: PinReport, done: number, total: number) => void
  npm: NpmOptions
  /** Facts of base images; what cannot be asked is not known. */
  imageFacts: (references: readonly string[]) => Promise<Map<string, ImageFacts>>
  /** Images that may stand for one that a Containerfile names, the likeliest first. */
  baseCandidates: (image: string) => Promise<string[]>
}

/** Looks for newer versions of what a profile, and the profiles below it, pin; and writes the pins, nothing else. */
export async function upgradeProfile(profile: Profile, request: UpgradeRequest): Promise<UpgradeReport> {
  const definitions = await withParents(profile, request.folders)
  const tasks = definitions.flatMap((definition) => pinsOf(definition).map((pin) => ({ definition, pin })))
  let done = 0
  const pins = await mapLimited(tasks, atOnce, async ({ definition, pin }) => {
    const report = await judgePin(definition.profile.name, pin, request, request.npm)
    request.onJudged?.(report, ++done, tasks.length)
    return report
  })
  const isAgreed = ({ profile: of, npm, next }: PinReport) => !request.shown || request.shown.some((one) => one.profile === of && one.npm === npm && one.version === next?.version)
  const written: string[] = []
  if (request.apply && pins.every(({ state }) => state !== 'failed')) {
    for (const definition of definitions) written.push(...(await writePins(definition, pins.filter(isAgreed), request.folders)))
  }
  return { pins, written, bases: await basesOf(definitions, request) }
}

const pinsOf = ({ text }: Definition): Pin[] => findPins(text, readInstructions(text))

async function writePins(definition: Definition, reports: readonly PinReport[], folders: ProfileFolders): Promise<string[]> {
  const { profile, text } = definition
  const edits = pinsOf(definition).flatMap(({ npm, version, versionSpan, integritySpan }) => {
    const next = reports.find((report) => report.profile === profile.name && report.npm === npm && report.current === version)?.next
    return next ? [{ ...versionSpan, text: next.version }, { ...integritySpan, text: next.integrity }] : []
  })
  if (edits.length === 0) return []
  const saved = await saveProfile(folders, { name: profile.name, text: applyEdits(text, edits), hash: hashOf(text) })
  if (saved.kind === 'conflict') throw new PaddockError({ code: 'profile-refused', message: `${profile.folder}/Containerfile was changed meanwhile.`, hint: 'Look for newer versions again.' })
  return [saved.file]
}

async function withParents(profile: Profile, folders: ProfileFolders, known = new Map<string, Definition>()): Promise<Definition[]> {
  if (!known.has(profile.name)) {
    const definition = await readDefinition(profile, folders, {})
    known.set(profile.name, definition)
    for (const parent of definition.parents) await withParents(parent, folders, known)
  }
  return [...known.values()]
}

async function basesOf(definitions: readonly Definition[], { imageFacts, baseCandidates }: UpgradeRequest): Promise<UpgradeReport['bases']> {
  const named = definitions.flatMap(({ profile, containerfile }) =>
    containerfile.images.filter((image) => profileOfImage(image) === null).map((image) => ({ profile: profile.name, image })),
  )
  return Promise.all(
    named.map(async (base) => {
      const candidates = await baseCandidates(base.image)
      const facts = await imageFacts(candidates).catch(() => new Map<string, ImageFacts>())
      const found = candidates.find((image) => facts.has(image))
      return { ...base, image: found ?? base.image, created: found === undefined ? null : facts.get(found)!.created }
    }),
  )
}

/** Does work on items, a few at once, and keeps their order. */
async function mapLimited<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  await Promise.all(
    Array.from({ length: limit }, async () => {
      for (const [index, item] of queue) results[index] = await work(item)
    }),
  )
  return results
}
