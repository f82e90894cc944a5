import type { Prunable } from '../../../shared/contract/contract.ts'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import type { Podman } from '../engine/podman.ts'
import { findSandboxes } from './find-sandbox.ts'
import { listSandboxes } from './list-sandboxes.ts'
import { findPrunable, prune } from './prune.ts'
import { removeSandbox, stopSandbox } from './stop-sandbox.ts'

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

/** @param launchesFolder where the records of launches lie */
export function runningSandboxes(podman: Podman, launchesFolder: string): RunningSandboxes {
  const list = () => listSandboxes(podman, launchesFolder)
  const forEach = async (ids: readonly string[], action: (sandbox: Sandbox) => Promise<void>) => {
    const sandboxes = findSandboxes(await list(), ids)
    await Promise.all(sandboxes.map(action))
    return sandboxes.map(({ id }) => id)
  }
  return {
    list,
    stop: (ids) => forEach(ids, (sandbox) => stopSandbox(podman, sandbox)),
    remove: (ids, force) => forEach(ids, (sandbox) => removeSandbox(podman, sandbox, force)),
    prunable: () => findPrunable(podman, launchesFolder),
    prune: (items) => prune(podman, items),
  }
}
