import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { type ImageFacts, inspectImages } from '../engine/images.ts'
import type { Podman } from '../engine/podman.ts'
import { writeJson } from '../store/write-json.ts'

/**
 * Facts of images, remembered for as long as Podman's own list of images is the same file, byte for byte: Podman
 * replaces it by rename at every change. So a launch of a fresh image needs no Podman call before the sandbox's own.
 */
const rememberedSchema = z.object({
  podman: z.string(),
  /** Podman's list of images, e.g. `…/storage/overlay-images/images.json`. */
  listFile: z.string(),
  fingerprint: z.string(),
  images: z.record(z.string(), z.nullable(z.object({ id: z.string(), created: z.string(), labels: z.record(z.string(), z.string()) }))),
})
type Remembered = z.infer<typeof rememberedSchema>

/** Makes the lookup; `file` is where facts are remembered between runs. */
export function createImageFacts(podman: Podman, file: string): (references: readonly string[]) => Promise<Map<string, ImageFacts>> {
  return async (references) => {
    const remembered = await recall(file, podman.path)
    const listFile = remembered?.listFile ?? (await findListFile(podman))
    // The fingerprint is taken first: a change while Podman answers makes the next run ask again.
    const fingerprint = await fingerprintOf(listFile)
    const known = fingerprint !== null && remembered?.fingerprint === fingerprint ? remembered.images : {}
    if (references.every((reference) => reference in known)) return factsOf(known, references)
    const facts = await inspectImages(podman, references)
    if (fingerprint !== null) {
      const asked = Object.fromEntries(references.map((reference) => [reference, facts.get(reference) ?? null]))
      const images = { ...known, ...asked }
      // What cannot be remembered, on a full disk above all, is asked again next time.
      await writeJson(file, { podman: podman.path, listFile, fingerprint, images } satisfies Remembered).catch(() => {})
    }
    return facts
  }
}

/** What was remembered of this Podman, current or not: where its list lies costs half a second to ask for. */
async function recall(file: string, podman: string): Promise<Remembered | null> {
  try {
    const remembered = rememberedSchema.parse(JSON.parse(await readFile(file, 'utf8')))
    return remembered.podman === podman ? remembered : null
  } catch {
    return null
  }
}

function factsOf(images: Remembered['images'], references: readonly string[]): Map<string, ImageFacts> {
  return new Map(references.flatMap((reference) => (images[reference] ? [[reference, images[reference]] as const] : [])))
}

/** Inode, size and times: a rename over the file changes at least the inode. */
async function fingerprintOf(file: string): Promise<string | null> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(file, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join('-')
  } catch {
    return null
  }
}

async function findListFile(podman: Podman): Promise<string> {
  const { podmanInfo } = await import('../engine/info.ts')
  const { store } = await podmanInfo(podman)
  return join(store.graphRoot, `${store.graphDriverName}-images`, 'images.json')
}
