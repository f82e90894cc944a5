import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
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

/** Looks facts up by reference; those of images that do not exist are left out. */
type LookUp = (references: readonly string[]) => Promise<Map<string, ImageFacts>>

/**
 * Makes the lookup; `file` is where facts are remembered between runs. Questions that come while one is being answered
 * are asked together next: a list of hundreds of profiles costs a few calls of Podman, never one each.
 */
export function createImageFacts(podman: Podman, file: string): LookUp {
  return together(lookUpIn(podman, file))
}

function together(lookUp: LookUp): LookUp {
  let last: Promise<unknown> = Promise.resolve()
  let waiting: { questions: number; references: Set<string>; answer: Promise<Map<string, ImageFacts>> } | null = null
  const begin = () => {
    const references = new Set<string>()
    const answer = last.then(() => {
      waiting = null
      return lookUp([...references])
    })
    last = answer.catch(() => {})
    return { questions: 0, references, answer }
  }
  return async (references) => {
    const batch = (waiting ??= begin())
    batch.questions++
    for (const reference of references) batch.references.add(reference)
    // One reference that Podman cannot read must not be the failure of all the others.
    const facts = await batch.answer.catch((error: unknown) => {
      if (batch.questions === 1) throw error
      return lookUp(references)
    })
    return new Map([...facts].filter(([reference]) => references.includes(reference)))
  }
}

function lookUpIn(podman: Podman, file: string): LookUp {
  const name = storageOf(podman)
  let last: Remembered | null = null
  return async (references) => {
    // What this process knows already is as good as what it wrote, for as long as the list is the same.
    if (last !== null) {
      const { images } = last
      const isKnown = references.every((reference) => Object.hasOwn(images, reference))
      if (isKnown && last.fingerprint === fingerprintOf(last.listFile)) return factsOf(images, references)
    }
    const remembered = await recall(file, name)
    const listFile = remembered?.listFile ?? (await findListFile(podman))
    // The fingerprint is taken first: a change while Podman answers makes the next run ask again.
    const fingerprint = fingerprintOf(listFile)
    const known = fingerprint !== null && remembered?.fingerprint === fingerprint ? remembered.images : {}
    if (references.every((reference) => Object.hasOwn(known, reference))) {
      last = remembered
      return factsOf(known, references)
    }
    const facts = await inspectImages(podman, references)
    if (fingerprint !== null) {
      const asked = Object.fromEntries(references.map((reference) => [reference, facts.get(reference) ?? null]))
      last = { podman: name, listFile, fingerprint, images: { ...known, ...asked } }
      // What cannot be remembered, on a full disk above all, is asked again next time.
      await writeJson(file, last).catch(() => {})
    }
    return facts
  }
}

/** Names a Podman with all that the environment says about where its storage is: containers-storage.conf(5). */
function storageOf({ path }: Podman): string {
  const { CONTAINERS_STORAGE_CONF, CONTAINERS_CONF, CONTAINERS_CONF_OVERRIDE, XDG_DATA_HOME, XDG_CONFIG_HOME } = process.env
  return [path, CONTAINERS_STORAGE_CONF, CONTAINERS_CONF, CONTAINERS_CONF_OVERRIDE, XDG_DATA_HOME, XDG_CONFIG_HOME].join('|')
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
function fingerprintOf(file: string): string | null {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
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
