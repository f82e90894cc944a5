import * as z from 'zod/mini'
import { askApi } from './api.ts'
import { parseReply, podmanFailed, type Podman } from './podman.ts'

/** What Paddock asks about an image. */
export interface ImageFacts {
  id: string
  /** ISO 8601. A fully cached rebuild keeps it. */
  created: string
  labels: Record<string, string>
}

const inspectSchema = z.object({
  Id: z.string(),
  Created: z.string(),
  Labels: z.nullish(z.record(z.string(), z.string())),
  RepoTags: z.nullish(z.array(z.string())),
})
type InspectedImage = z.infer<typeof inspectSchema>

/**
 * Asks for several images in one call.
 * @returns facts by reference as given; an image that does not exist is left out
 */
export async function inspectImages(podman: Podman, references: readonly string[]): Promise<Map<string, ImageFacts>> {
  if (references.length === 0) return new Map()
  const answers = await askApi(podman, references.map((reference) => `/images/${encodeURIComponent(reference)}/json`), inspectSchema)
  const images = answers?.filter((answer) => answer !== null) ?? (await inspectByCommand(podman, references))
  const found = new Map<string, ImageFacts>()
  for (const reference of references) {
    const image = images.find(({ RepoTags, Id }) => RepoTags?.includes(withTag(reference)) || Id === reference)
    if (image) found.set(reference, { id: image.Id, created: image.Created, labels: image.Labels ?? {} })
  }
  return found
}

async function inspectByCommand(podman: Podman, references: readonly string[]): Promise<InspectedImage[]> {
  const ended = await podman.try(['image', 'inspect', ...references])
  // 125 is also the answer when only some of the images are missing.
  const onlyMissing = ended.stderr.split('\n').every((line) => line === '' || /image not known|failed to find image|level=warning/.test(line))
  if (ended.ended !== 'exited' || (ended.exitCode !== 0 && !onlyMissing)) throw podmanFailed(ended)
  return parseReply(z.array(inspectSchema), ended)
}

/** A reference in the spelling of `RepoTags`: with its tag, and `docker.io/library/` or `localhost/` as given. */
function withTag(reference: string): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1)
  return name.includes(':') || name.includes('@') ? reference : `${reference}:latest`
}

const danglingSchema = z.array(z.object({ Id: z.string(), Size: z.number() }))

/** Images that a rebuild of a profile has replaced and that no tag names any more. */
export async function listReplacedImages(podman: Podman): Promise<{ id: string; bytes: number }[]> {
  const args = ['images', '--filter', 'dangling=true', '--filter', 'label=dev.paddock.source', '--format', 'json']
  const images = parseReply(danglingSchema, await podman.run(args))
  return images.map(({ Id, Size }) => ({ id: Id, bytes: Size }))
}
