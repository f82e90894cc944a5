import { realpath } from 'node:fs/promises'
import { sandboxLabels } from '../../../shared/domain/launch.ts'
import { listContainers } from '../engine/containers.ts'
import type { Podman } from '../engine/podman.ts'
import { inspectEach, isSandbox } from './list-sandboxes.ts'

/**
 * Folders of this machine where a sandbox can put links: whatever is mounted into one that is listed, unless read-only.
 * @param others those that had sandboxes before: homes, and projects that were opened
 * @returns absolute real paths, each once
 * @throws {PaddockError} `podman-missing`, `podman-failed`
 */
export async function writablePlaces(podman: Podman, others: readonly string[]): Promise<string[]> {
  const listed = (await listContainers(podman)).filter(isSandbox)
  const inspected = listed.length > 0 ? await inspectEach(podman, listed.map(({ Id }) => Id)) : new Map<string, never>()
  const mounted = listed.flatMap(({ Id, Labels }) => {
    const found = inspected.get(Id)
    // One that cannot be inspected still tells its project.
    if (!found || found instanceof Error) return Labels?.[sandboxLabels.project] ?? []
    return found.Mounts.flatMap(({ Source, RW }) => (Source && RW !== false ? Source : []))
  })
  const real = await Promise.all([...others, ...mounted].map((path) => realpath(path).catch(() => path)))
  return [...new Set(real)]
}
