import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import Docker from 'dockerode'
import * as z from 'zod/mini'
import type { Stats } from '../../../shared/contract/window-contract.ts'
import type { Podman } from './podman.ts'
import { findService, type Service } from './service.ts'

/** What Podman tells by itself. */
export interface PodmanNews {
  onContainers(): void
  onImages(): void
  /** After `false` something may have been missed; after `true` both lists are to be asked for anew. */
  onConnection(isConnected: boolean): void
  onOutOfMemory(containerId: string): void
}

/** A running watch of Podman's events. */
export interface PodmanWatch {
  /** Live figures; a container that has none (control groups v1, just ended) is left out. */
  stats(ids: readonly string[]): Promise<Stats[]>
  close(): void
}

const eventSchema = z.object({ Type: z.string(), Action: z.string(), Actor: z.optional(z.object({ ID: z.optional(z.string()) })) })
const firstRetryMs = 500
const longestRetryMs = 10_000

/** Follows Podman's events for as long as the app runs, through every loss of the connection. */
export function watchPodman(podman: Podman, privateSocket: string, news: PodmanNews): PodmanWatch {
  const closed = new AbortController()
  const link: { service: Service | null; docker: Docker | null } = { service: null, docker: null }
  const release = () => {
    link.service?.close()
    link.service = null
    link.docker = null
  }

  const follow = async () => {
    link.service = await findService(podman, privateSocket)
    link.docker = new Docker({ socketPath: link.service.socket })
    const stream = await link.docker.getEvents({ filters: { type: ['container', 'image'] } })
    const end = () => (stream as unknown as { destroy(): void }).destroy()
    closed.signal.addEventListener('abort', end, { once: true })
    news.onConnection(true)
    try {
      for await (const line of createInterface({ input: stream })) tell(line, news)
    } finally {
      closed.signal.removeEventListener('abort', end)
    }
  }

  void (async () => {
    for (let retryMs = firstRetryMs; !closed.signal.aborted; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
      const began = Date.now()
      await follow().catch(() => {})
      release()
      if (closed.signal.aborted) return
      news.onConnection(false)
      if (Date.now() - began > longestRetryMs) retryMs = firstRetryMs
      await sleep(retryMs, undefined, { signal: closed.signal }).catch(() => {})
    }
  })()

  return {
    async stats(ids) {
      const asked = await Promise.all(ids.map((id) => askStats(link.docker, id).catch(() => null)))
      return asked.filter((figures) => figures !== null)
    },
    close() {
      closed.abort()
      release()
    },
  }
}

function tell(line: string, news: PodmanNews): void {
  let event: z.infer<typeof eventSchema>
  try {
    event = eventSchema.parse(JSON.parse(line))
  } catch {
    return
  }
  if (event.Type === 'image') news.onImages()
  // Podman reports every exec and every attach too; they change nothing that is shown.
  else if (!/^(exec|attach)/.test(event.Action)) news.onContainers()
  if (event.Action === 'oom' && event.Actor?.ID) news.onOutOfMemory(event.Actor.ID)
}

const cpuSchema = z.object({ cpu_usage: z.object({ total_usage: z.number() }), system_cpu_usage: z.optional(z.number()), online_cpus: z.optional(z.number()) })
const statsReplySchema = z.object({ cpu_stats: cpuSchema, precpu_stats: cpuSchema, memory_stats: z.object({ usage: z.optional(z.number()) }) })

async function askStats(docker: Docker | null, id: string): Promise<Stats | null> {
  if (docker === null) return null
  const { cpu_stats: now, precpu_stats: before, memory_stats: memory } = statsReplySchema.parse(await docker.getContainer(id).stats({ stream: false }))
  const used = now.cpu_usage.total_usage - before.cpu_usage.total_usage
  const system = (now.system_cpu_usage ?? 0) - (before.system_cpu_usage ?? 0)
  if (system <= 0 || memory.usage === undefined) return null
  return { id, cpu: (used / system) * (now.online_cpus ?? 1), memoryBytes: memory.usage }
}
