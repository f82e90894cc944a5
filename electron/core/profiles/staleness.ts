import type { ImageState } from '../../../shared/domain/profile.ts'
import type { ImageFacts } from '../engine/images.ts'
import { type Inputs, sourceHash } from './inputs.ts'

/** Names of the labels that a build puts on an image. */
export const imageLabels = { profile: 'dev.paddock.profile', source: 'dev.paddock.source', inputs: 'dev.paddock.inputs' } as const

export interface Staleness {
  state: ImageState
  reasons: string[]
}

/** What is compared. */
export interface Comparison {
  profile: string
  image: ImageFacts | undefined
  /** Today's inputs; an `image:` input is empty when that image is not in the storage. */
  inputs: Inputs
  /** Newest modification time of the profile's files in ms; asked only for an image that Paddock did not build. */
  newestFileMs: () => Promise<number>
}

/** Compares an image with what its profile would build today, and says why it is stale. */
export async function judgeStaleness({ profile, image, inputs, newestFileMs }: Comparison): Promise<Staleness> {
  if (!image) return { state: 'missing', reasons: ['The image has not been built.'] }
  // An image that was built by hand on one of ours inherits that one's labels: they say nothing about it.
  if (image.labels[imageLabels.profile] !== profile || !image.labels[imageLabels.source]) {
    return (await newestFileMs()) > Date.parse(image.created)
      ? { state: 'stale', reasons: ['The profile was changed after the image was built, and Paddock did not build it.'] }
      : { state: 'fresh', reasons: [] }
  }
  const recorded = readRecordedInputs(image)
  const known = withRecordedImages(inputs, recorded)
  if (sourceHash(known) === image.labels[imageLabels.source]) return { state: 'fresh', reasons: [] }
  return { state: 'stale', reasons: differences(known, recorded) }
}

/** A base image that was removed from the storage is no reason to rebuild: what was built on it is still there. */
function withRecordedImages(inputs: Inputs, recorded: Inputs): Inputs {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, name.startsWith('image:') && value === '' ? (recorded[name] ?? '') : value]),
  )
}

/** What an image was built from, by its own label; empty for an image that Paddock did not build. */
export function readRecordedInputs(image: ImageFacts | undefined): Inputs {
  try {
    const value: unknown = JSON.parse(image?.labels[imageLabels.inputs] ?? '{}')
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(Object.entries(value).filter(([, entry]) => typeof entry === 'string')) as Inputs
  } catch {
    return {}
  }
}

const maxReasons = 5

function differences(now: Inputs, then: Inputs): string[] {
  const names = [...new Set([...Object.keys(now), ...Object.keys(then)])].filter((name) => now[name] !== then[name]).sort()
  const reasons = names.map((name) => describe(name, name in now, name in then))
  if (reasons.length === 0) return ['The image was built from other inputs.']
  if (reasons.length <= maxReasons) return reasons
  return [...reasons.slice(0, maxReasons), `And ${reasons.length - maxReasons} more.`]
}

function describe(name: string, isNow: boolean, wasThen: boolean): string {
  const [kind, subject] = [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)]
  if (kind === 'file') return `${subject} was ${isNow && wasThen ? 'changed' : isNow ? 'added' : 'removed'}.`
  if (kind === 'image') return `Its base image ${subject} is another one now.`
  return `The build argument ${subject} has another value.`
}
