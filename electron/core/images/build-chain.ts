import type { CallContext } from '../../../shared/contract/contract.ts'
import type { Profile } from '../profiles/find-profiles.ts'
import { type Assessment, assess, runLabelOf, type Workshop } from './assess.ts'
import { baseImageArg, defaultBaseImage, obtainBaseImage } from './base-image.ts'
import { buildImage } from './build-image.ts'
import { withBuildLock } from './build-lock.ts'
import type { BuildWish } from './refresh.ts'

/**
 * Builds what is missing or stale under a profile and then itself, the lowest image first; with `force` all of it, each
 * once. With `pull` the newest base image comes first, and what stands on another one is stale.
 * @returns names of the profiles that were built
 */
export function buildChain(workshop: Workshop, before: Assessment, { force = false, pull = false }: BuildWish, context: CallContext): Promise<string[]> {
  return withBuildLock(workshop.lockFolder, context, async () => {
    if (pull) await renewBaseImage(workshop, before, context)
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

/** Gets the newest base image for a profile that stands on one. */
async function renewBaseImage(workshop: Workshop, before: Assessment, context: CallContext): Promise<void> {
  const takesBase = ({ definition, parents }: Assessment): boolean => definition.containerfile.declaredArgs.has(baseImageArg) || parents.some(takesBase)
  if (!takesBase(before)) return
  const wanted = workshop.baseImage ?? defaultBaseImage
  await obtainBaseImage(workshop.podman, workshop.baseImage, context, (await workshop.imageFacts([wanted])).has(wanted))
}

/** Gets the base image if the profile takes one and it is not in the storage; true when it had to be fetched or made. */
async function ensureBaseImage(workshop: Workshop, { definition, buildArgs }: Assessment, context: CallContext): Promise<boolean> {
  if (!definition.containerfile.declaredArgs.has(baseImageArg)) return false
  const base = buildArgs[baseImageArg]
  if (base !== undefined && (await workshop.imageFacts([base])).has(base)) return false
  await obtainBaseImage(workshop.podman, workshop.baseImage, context)
  return true
}
