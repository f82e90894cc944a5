import type { CallContext } from '../../../shared/contract/contract.ts'
import { type Assessment, assess, type Workshop } from './assess.ts'

/** What is asked of a build beyond what is missing or stale. */
export interface BuildWish {
  /** Build even what is fresh, and reuse no cached layer. */
  force?: boolean
  /** Get the newest base image first. */
  pull?: boolean
}

/**
 * Builds a profile's image, and those under it, where they are missing or stale; with `force` in any case, with
 * `pull` on the newest base image.
 * @param before how the profile stands
 * @returns the profiles that were built, and how the wanted one stands now
 */
export async function refresh(workshop: Workshop, before: Assessment, { force = false, pull = false }: BuildWish, context: CallContext): Promise<{ built: string[]; assessment: Assessment }> {
  if (before.state === 'fresh' && !force && !pull) return { built: [], assessment: before }
  // Loaded when first needed: most launches build nothing and should start at once.
  const { buildChain } = await import('./build-chain.ts')
  const built = await buildChain(workshop, before, { force, pull }, context)
  return { built, assessment: await assess(workshop, before.definition.profile) }
}
