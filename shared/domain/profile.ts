import * as z from 'zod/mini'
import { capsSchema } from './caps.ts'
import { findingSchema } from './findings.ts'

/** An image that no profile builds, under one that does. */
export const baseImageSchema = z.object({
  /** The profile whose Containerfile starts from it. */
  profile: z.string(),
  image: z.string(),
  /** When it was made, ISO 8601; null when it is not on this machine. */
  created: z.nullable(z.string()),
})
export type BaseImage = z.infer<typeof baseImageSchema>

/** A profile as every surface shows it. */
export const profileStatusSchema = z.object({
  name: z.string(),
  /** Full reference of the image that the profile builds. */
  image: z.string(),
  source: z.enum(['bundled', 'user']),
  /** Absolute path of its Containerfile, which may be missing. */
  file: z.string(),
  /** What is known of the image; `missing` too for a profile that cannot be read. */
  state: z.enum(['missing', 'stale', 'fresh']),
  /** Why the image is missing or stale, in plain sentences. */
  reasons: z.array(z.string()),
  caps: capsSchema,
  /** False for a profile without a usable run label, such as base. */
  runnable: z.boolean(),
  findings: z.array(findingSchema),
  /** The image of nobody's profile that it stands on in the end; null for a profile that cannot be read. */
  base: z.nullable(baseImageSchema),
  /** Why the profile cannot be used; null when it can. */
  error: z.nullable(z.string()),
})
export type ProfileStatus = z.infer<typeof profileStatusSchema>
export type ImageState = ProfileStatus['state']
export type ProfileSource = ProfileStatus['source']

export const baseProfile = 'base'
export const defaultProfile = 'default'
/** What the proxy of sandboxes with an allowlist is made of. */
export const proxyProfile = 'egress'

/** Folder names that can be a profile: they become an image tag. */
export const profileNamePattern = /^[a-z0-9][a-z0-9._-]{0,62}$/

/** The image that a profile builds. `localhost/` keeps Podman from ever asking a registry for it. */
export function imageOf(profile: string): string {
  if (profile === baseProfile) return 'localhost/paddock-base:latest'
  if (profile === defaultProfile) return 'localhost/paddock:latest'
  return `localhost/paddock:${profile}`
}

/** The profile that builds an image, or null when the reference is none of ours. */
export function profileOfImage(reference: string): string | null {
  const short = reference.replace(/^localhost\//, '')
  if (short === 'paddock-base' || short === 'paddock-base:latest') return baseProfile
  if (short === 'paddock' || short === 'paddock:latest') return defaultProfile
  return /^paddock:(.+)$/.exec(short)?.[1] ?? null
}
