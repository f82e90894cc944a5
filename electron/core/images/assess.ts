import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BaseImage, profileOfImage } from '../../../shared/domain/profile.ts'
import type { ImageFacts } from '../engine/images.ts'
import type { Podman } from '../engine/podman.ts'
import { brokenProfile, type Definition, readDefinition } from '../profiles/definition.ts'
import type { Profile, ProfileFolders } from '../profiles/find-profiles.ts'
import { fileInputs, type Inputs } from '../profiles/inputs.ts'
import { judgeStaleness, readRecordedInputs, type Staleness } from '../profiles/staleness.ts'
import { baseImageArg, baseImageCandidates, hostArchive, pickBaseImage } from './base-image.ts'

/** What assessing and building need to know of their surroundings. */
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
  /** Facts of the images that its Containerfile names, by reference. */
  under: ReadonlyMap<string, ImageFacts>
  /** Assessments of the profiles below it. */
  parents: Assessment[]
}

/**
 * Compares a profile's image, and the images under it, with their files.
 * @throws {PaddockError} `profile-broken`, also when profiles are built from each other in a circle
 */
export async function assess(workshop: Workshop, profile: Profile, above: readonly string[] = []): Promise<Assessment> {
  if (above.includes(profile.name)) throw brokenProfile(profile, `it is built from itself (${[...above, profile.name].join(' → ')})`)
  const candidates = baseImageCandidates(workshop.baseImage, workshop.baseImage === undefined ? await hostArchive() : null)
  const facts = await workshop.imageFacts([profile.image, ...candidates])
  const image = facts.get(profile.image)
  // A base that was since removed from the storage is still what the image was built from.
  const base = pickBaseImage(candidates, facts) ?? readRecordedInputs(image)[`arg:${baseImageArg}`]
  const buildArgs: Record<string, string> = base === undefined ? {} : { [baseImageArg]: base }
  const definition = await readDefinition(profile, workshop.folders, buildArgs)
  const [files, under, parents] = await Promise.all([
    fileInputs(definition),
    workshop.imageFacts(definition.containerfile.images),
    Promise.all(definition.parents.map((parent) => assess(workshop, parent, [...above, profile.name]))),
  ])
  const inputs: Inputs = { ...files }
  for (const reference of definition.containerfile.images) inputs[`image:${reference}`] = under.get(reference)?.id ?? ''
  if (base !== undefined && definition.containerfile.declaredArgs.has(baseImageArg)) inputs[`arg:${baseImageArg}`] = base
  const own = await judgeStaleness({ profile: profile.name, image, inputs, newestFileMs: () => newestFileMs(definition, files) })
  return { definition, buildArgs, inputs, image, under, parents, ...withParents(own, parents) }
}

function withParents(own: Staleness, parents: readonly Assessment[]): Staleness {
  if (own.state === 'missing') return own
  const reasons = parents
    .filter(({ state }) => state !== 'fresh')
    .map(({ state, definition, reasons }) => `Its base, profile ${definition.profile.name}, is ${state}: ${reasons[0] ?? ''}`)
  return reasons.length === 0 ? own : { state: 'stale', reasons: [...own.reasons, ...reasons] }
}

async function newestFileMs({ profile }: Definition, files: Inputs): Promise<number> {
  const paths = Object.keys(files).map((name) => join(profile.folder, name.slice('file:'.length)))
  const times = await Promise.all(paths.map((path) => lstat(path).then(({ mtimeMs }) => mtimeMs, () => 0)))
  return Math.max(0, ...times)
}

/** The image under a profile that no profile builds, and which profile starts from it. */
export function baseOf({ definition, parents, under }: Assessment): BaseImage {
  const { profile, containerfile } = definition
  const parent = parents.find((candidate) => profileOfImage(containerfile.base) === candidate.definition.profile.name)
  return parent ? baseOf(parent) : { profile: profile.name, image: containerfile.base, created: under.get(containerfile.base)?.created ?? null }
}

/** The run label of a profile: its own, the nearest one that it inherits, or that of the image it was built from. */
export function runLabelOf({ definition, parents, image }: Pick<Assessment, 'definition' | 'parents' | 'image'>): string | undefined {
  const own = definition.containerfile.labels.get('run')
  if (own !== undefined) return own
  const parent = parents.find((candidate) => profileOfImage(definition.containerfile.base) === candidate.definition.profile.name)
  return parent ? runLabelOf(parent) : image?.labels.run
}
