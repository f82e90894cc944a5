import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CallContext } from '../../../shared/contract/contract.ts'
import type { Podman } from '../engine/podman.ts'
import type { ImageFacts } from '../engine/images.ts'
import { type Definition, readDefinition } from '../profiles/definition.ts'
import type { Profile, ProfileFolders } from '../profiles/find-profiles.ts'
import { fileInputs, type Inputs } from '../profiles/inputs.ts'
import { imageLabels, judgeStaleness, type Staleness } from '../profiles/staleness.ts'
import { baseImageArg, baseImageCandidates, hostArchive, obtainBaseImage, pickBaseImage } from './base-image.ts'
import { buildImage } from './build-image.ts'
import { withBuildLock } from './build-lock.ts'

/** What refreshing needs to know of its surroundings. */
export interface Workshop {
  podman: Podman
  folders: ProfileFolders
  /** The base image that the person chose, if any. */
  baseImage: string | undefined
  /** Facts of images by reference; those that do not exist are left out. */
  imageFacts: (references: readonly string[]) => Promise<Map<string, ImageFacts>>
  lockFolder: string
}

/** A profile, what it would be built from today, and how its image compares. */
export interface Assessment extends Staleness {
  definition: Definition
  buildArgs: Record<string, string>
  inputs: Inputs
  image: ImageFacts | undefined
  /** Assessments of the profiles below it. */
  parents: Assessment[]
}

/** Compares a profile's image, and the images under it, with their files. @throws {PaddockError} `profile-broken` */
export async function assess(workshop: Workshop, profile: Profile): Promise<Assessment> {
  const candidates = baseImageCandidates(workshop.baseImage, workshop.baseImage === undefined ? await hostArchive() : null)
  const draft = await readDefinition(profile, workshop.folders, {})
  const facts = await workshop.imageFacts([...new Set([...imagesUnder(draft), ...candidates])])
  const picked = pickBaseImage(candidates, facts)
  return assessDefinition(workshop, profile, facts, picked)
}

function imagesUnder({ profile, containerfile, parents }: Definition): string[] {
  return [profile.image, ...containerfile.images, ...parents.flatMap(imagesUnder)]
}

async function assessDefinition(workshop: Workshop, profile: Profile, facts: Map<string, ImageFacts>, picked: string | undefined): Promise<Assessment> {
  const image = facts.get(profile.image)
  const base = picked ?? recordedBase(image)
  const buildArgs: Record<string, string> = base === undefined ? {} : { [baseImageArg]: base }
  const definition = await readDefinition(profile, workshop.folders, buildArgs)
  const parents = await Promise.all(definition.parents.map((parent) => assessDefinition(workshop, parent.profile, facts, picked)))
  const inputs = await fileInputs(definition)
  for (const reference of definition.containerfile.images) inputs[`image:${reference}`] = facts.get(reference)?.id ?? ''
  if (base !== undefined && definition.containerfile.declaredArgs.has(baseImageArg)) inputs[`arg:${baseImageArg}`] = base
  const own = judgeStaleness({ profile: profile.name, image, inputs, newestFileMs: image ? await newestFileMs(definition, inputs) : 0 })
  return { definition, buildArgs, inputs, image, parents, ...withParents(own, parents) }
}

/** The base that an image was built from, for a base that was since removed from the storage. */
function recordedBase(image: ImageFacts | undefined): string | undefined {
  try {
    const recorded = JSON.parse(image?.labels[imageLabels.inputs] ?? '{}') as Inputs
    return recorded[`arg:${baseImageArg}`]
  } catch {
    return undefined
  }
}

function withParents(own: Staleness, parents: readonly Assessment[]): Staleness {
  if (own.state === 'missing') return own
  const reasons = parents
    .filter(({ state }) => state !== 'fresh')
    .map(({ state, definition, reasons }) => `Its base, profile ${definition.profile.name}, is ${state}: ${reasons[0] ?? ''}`)
  return reasons.length === 0 ? own : { state: 'stale', reasons: [...own.reasons, ...reasons] }
}

async function newestFileMs({ profile }: Definition, inputs: Inputs): Promise<number> {
  const files = Object.keys(inputs).flatMap((name) => (name.startsWith('file:') ? [join(profile.folder, name.slice('file:'.length))] : []))
  const times = await Promise.all(files.map((file) => lstat(file).then(({ mtimeMs }) => mtimeMs, () => 0)))
  return Math.max(0, ...times)
}

/**
 * Builds what is missing or stale, the lowest image first; with `force` everything under the profile too, each once.
 * @returns the profiles that were built, and how the wanted one stands now
 */
export async function refresh(workshop: Workshop, profile: Profile, force: boolean, context: CallContext): Promise<{ built: string[]; assessment: Assessment }> {
  const before = await assess(workshop, profile)
  if (before.state === 'fresh' && !force) return { built: [], assessment: before }
  return withBuildLock(workshop.lockFolder, context, async () => {
    const built: string[] = []
    // What another Paddock built while this one waited for its turn need not be built again.
    for (const { name } of buildOrder(before)) {
      let now = await assessByName(workshop, profile, name)
      if (now.state === 'fresh' && !force) continue
      for (const reason of now.reasons) context.onProgress({ kind: 'log', text: `${now.definition.profile.image}: ${reason}` })
      if (await ensureBaseImage(workshop, now, context)) now = await assessByName(workshop, profile, name)
      await buildImage(workshop.podman, { ...now, fromScratch: force }, context)
      built.push(name)
    }
    return { built, assessment: await assess(workshop, profile) }
  })
}

/** The profiles under a profile and itself, lowest first, each once. */
function buildOrder({ definition, parents }: Assessment): Profile[] {
  const all = [...parents.flatMap(buildOrder), definition.profile]
  return all.filter((profile, index) => all.findIndex(({ name }) => name === profile.name) === index)
}

async function assessByName(workshop: Workshop, top: Profile, name: string): Promise<Assessment> {
  const find = (assessment: Assessment): Assessment | undefined =>
    assessment.definition.profile.name === name ? assessment : assessment.parents.map(find).find(Boolean)
  return find(await assess(workshop, top))!
}

/** Gets the base image if the profile takes one and it is not in the storage; true when it had to be fetched or made. */
async function ensureBaseImage(workshop: Workshop, { definition, buildArgs }: Assessment, context: CallContext): Promise<boolean> {
  if (!definition.containerfile.declaredArgs.has(baseImageArg)) return false
  const base = buildArgs[baseImageArg]
  if (base !== undefined && (await workshop.imageFacts([base])).has(base)) return false
  await obtainBaseImage(workshop.podman, workshop.baseImage, context)
  return true
}
