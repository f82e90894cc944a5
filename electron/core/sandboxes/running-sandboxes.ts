import type { Prunable } from '../../../shared/contract/contract.ts'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import type { Podman } from '../engine/podman.ts'
import { findSandboxes } from './find-sandbox.ts'
import { listSandboxes } from './list-sandboxes.ts'
import { findPrunable, prune } from './prune.ts'
import { type EndInGuest, removeSandbox, stopSandbox } from './stop-sandbox.ts'

/** What can be done with sandboxes that were launched; ids may be unique beginnings of ids. */
export interface RunningSandboxes {
  list(): Promise<Sandbox[]>
  /** @returns ids of those that were there */
  stop(ids: readonly string[]): Promise<string[]>
  /** @returns ids of those that were there */
  remove(ids: readonly string[], force: boolean): Promise<string[]>
  prunable(): Promise<Prunable[]>
  prune(items: readonly Prunable[]): Promise<Prunable[]>
}

/** A guest that lives lets somebody in within this; a young one, which still boots, is not waited for. */
const connectMs = 5_000

/** @param launchesFolder where the records of launches lie */
export function runningSandboxes(podman: Podman, launchesFolder: string): RunningSandboxes {
  const list = () => listSandboxes(podman, launchesFolder)
  const forEach = async (ids: readonly string[], action: (sandbox: Sandbox) => Promise<void>) => {
    const sandboxes = findSandboxes(await list(), ids)
    // One that fails keeps none of the others from being done.
    const done = await Promise.allSettled(sandboxes.map(action))
    for (const result of done) if (result.status === 'rejected') throw result.reason
    return sandboxes.map(({ id }) => id)
  }
  const endInGuest: EndInGuest = async (id) => {
    const [{ openChannel }, { endFirstProgram }] = await Promise.all([import('../guest/guest-channels.ts'), import('../guest/end-program.ts')])
    const guest = await openChannel(podman, launchesFolder, id, AbortSignal.timeout(connectMs))
    await endFirstProgram(guest).finally(() => guest.close())
  }
  return {
    list,
    stop: (ids) => forEach(ids, (sandbox) => stopSandbox(podman, sandbox, endInGuest)),
    remove: (ids, force) => forEach(ids, (sandbox) => removeSandbox(podman, sandbox, force)),
    prunable: () => findPrunable(podman, launchesFolder),
    prune: (items) => prune(podman, items),
  }
}
