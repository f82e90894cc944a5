import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspectContainers } from '../engine/containers.ts'
import type { Podman } from '../engine/podman.ts'

/**
 * How often the kernel has ended something in a control group for want of memory.
 * Source: docs.kernel.org, "Control Group v2", memory.events.
 * @param cgroup as Podman names it, below the root of the hierarchy
 * @returns null where the kernel does not tell, e.g. with control groups v1, and when the group is gone
 */
export async function readOomKills(cgroup: string, root = '/sys/fs/cgroup'): Promise<number | null> {
  const events = await readFile(join(root, cgroup, 'memory.events'), 'utf8').catch(() => '')
  const killed = /^oom_kill (\d+)$/m.exec(events)?.[1]
  return killed === undefined ? null : Number(killed)
}

/** Finds the sandboxes in which the kernel has ended something for want of memory since the last look. */
export interface OomWatch {
  /** @param ids of running sandboxes; what is known of others is forgotten */
  look(ids: readonly string[]): Promise<string[]>
}

/** Named by no control group. */
const noGroup = '/none/'

/** Podman has no event for it, so the kernel's own count is read. What happens in a microVM's guest stays unseen. */
export function createOomWatch(podman: Podman, root?: string): OomWatch {
  /** A count that is null is yet to be read for the first time: what happened before is no news. */
  const seen = new Map<string, { cgroup: string; kills: number | null }>()
  return {
    async look(ids) {
      for (const id of seen.keys()) if (!ids.includes(id)) seen.delete(id)
      const unknown = ids.filter((id) => !seen.has(id))
      const found = await inspectContainers(podman, unknown).catch(() => [])
      // One without a group is remembered, too, so that it is not asked about again.
      for (const { Id, State } of found) seen.set(Id, { cgroup: State.CgroupPath ?? noGroup, kills: null })
      const grown = await Promise.all(
        [...seen].map(async ([id, { cgroup, kills }]) => {
          const now = await readOomKills(cgroup, root)
          if (now === null) return []
          seen.set(id, { cgroup, kills: now })
          return kills !== null && now > kills ? [id] : []
        }),
      )
      return grown.flat()
    },
  }
}
