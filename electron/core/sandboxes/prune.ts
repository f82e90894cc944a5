import type { Prunable } from '../../../shared/contract/contract.ts'
import { listReplacedImages } from '../engine/images.ts'
import type { Podman } from '../engine/podman.ts'
import { listSandboxes } from './list-sandboxes.ts'

/** What could be freed: ended sandboxes and images that a rebuild replaced. */
export async function findPrunable(podman: Podman, launchesFolder: string): Promise<Prunable[]> {
  const [sandboxes, images] = await Promise.all([listSandboxes(podman, launchesFolder), listReplacedImages(podman)])
  const ended = sandboxes.filter(({ state }) => state === 'exited' || state === 'created' || state === 'dead')
  return [
    ...ended.map(({ id, profile, project }) => ({ kind: 'sandbox' as const, id, what: `${profile} on ${project ?? 'no project'}`, bytes: null })),
    ...images.map(({ id, bytes }) => ({ kind: 'image' as const, id, what: 'replaced by a rebuild', bytes })),
  ]
}

/** Removes what was found; what is in use again by now is kept. @returns what was removed */
export async function prune(podman: Podman, items: readonly Prunable[]): Promise<Prunable[]> {
  const removed: Prunable[] = []
  for (const item of items) {
    // Without force: a sandbox that was started again meanwhile, or an image that one uses, stays.
    const { exitCode } = await podman.try(item.kind === 'sandbox' ? ['rm', '--ignore', item.id] : ['image', 'rm', item.id])
    if (exitCode === 0) removed.push(item)
  }
  return removed
}
