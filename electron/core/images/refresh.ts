import type { CallContext } from '../../../shared/contract/contract.ts'
import { type Assessment, assess, type Workshop } from './assess.ts'

/**
 * Builds a profile's image, and those under it, where they are missing or stale; with `force` in any case.
 * @param before how the profile stands
 * @returns the profiles that were built, and how the wanted one stands now
 */
export async function refresh(workshop: Workshop, before: Assessment, force: boolean, context: CallContext): Promise<{ built: string[]; assessment: Assessment }> {
  if (before.state === 'fresh' && !force) return { built: [], assessment: before }
  // Loaded when first needed: most launches build nothing and should start at once.
  const { buildChain } = await import('./build-chain.ts')
  const built = await buildChain(workshop, before, force, context)
  return { built, assessment: await assess(workshop, before.definition.profile) }
}
