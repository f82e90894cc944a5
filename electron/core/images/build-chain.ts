import type { CallContext } from '../../../shared/contract/contract.ts'
import type { Profile } from '../profiles/find-profiles.ts'
import { type Assessment, assess, runLabelOf, type Workshop } from './assess.ts'
import { baseImageArg, obtainBaseImage } from './base-image.ts'
import { buildImage } from './build-image.ts'
import { withBuildLock } from './build-lock.ts'

/**
 * Builds what is missing or stale under a profile and then itself, the lowest image first; with `force` all of it, each
 * once.
 * @returns names of the profiles that were built
 */
export function buildChain(workshop: Workshop, before: Assessment, force: boolean, context: CallContext): Promise<string[]> {
  return withBuildLock(workshop.lockFolder, context, async () => {
    const built: string[] = []
    // Assessed anew each time: another Paddock may have built while this one waited, and each build changes the next.
    for (const profile of buildOrder(before)) if (await buildIfNeeded(workshop, profile, force, context)) built.push(profile.name)
    return built
  })
}

/** The profiles under a profile and itself, lowest first, each once. */
function buildOrder({ definition, parents }: Assessment): Profile[] {
  const all = [...parents.flatMap(buildOrder), definition.profile]
  return all.filter((profile, index) => all.findIndex(({ name }) => name === profile.name) === index)
}

async function buildIfNeeded(workshop: Workshop, profile: Profile, force: boolean, context: CallContext): Promise<boolean> {
  let now = await assess(workshop, profile)
  if (now.state === 'fresh' && !force) return false
  for (const reason of now.reasons) context.onProgress({ kind: 'log', text: `${profile.image}: ${reason}` })
  if (await ensureBaseImage(workshop, now, context)) now = await assess(workshop, profile)
  await buildImage(workshop.podman, { ...now, runLabel: runLabelOf({ ...now, image: undefined }), fromScratch: force }, context)
  return true
}

/** Gets the base image if the profile takes one and it is not in the storage; true when it had to be fetched or made. */
async function ensureBaseImage(workshop: Workshop, { definition, buildArgs }: Assessment, context: CallContext): Promise<boolean> {
  if (!definition.containerfile.declaredArgs.has(baseImageArg)) return false
  const base = buildArgs[baseImageArg]
  if (base !== undefined && (await workshop.imageFacts([base])).has(base)) return false
  await obtainBaseImage(workshop.podman, workshop.baseImage, context)
  return true
}
