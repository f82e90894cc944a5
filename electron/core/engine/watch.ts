import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import * as z from 'zod/mini'
import type { Stats } from '../../../shared/contract/window-contract.ts'
import { createPodmanApi } from './api.ts'
import type { Podman } from './podman.ts'
import { findService, type Service } from './service.ts'

/** What Podman tells by itself. */
export interface PodmanNews {
  onContainers(): void
  onImages(): void
  /** After `false` something may have been missed; after `true` both lists are to be asked for anew. */
  onConnection(isConnected: boolean): void
  onDied(death: Death): void
  /** Somebody sends a container a signal. */
  onKilled(containerId: string): void
}

/** The end of a container's first process, by Podman's own word. */
export interface Death {
  id: string
  exitCode: number
  image: string
  labels: Record<string, string>
}

/** A running watch of Podman's events. */
export interface PodmanWatch {
  /** Live figures; a container that has none (control groups v1, just ended) is left out. */
  stats(ids: readonly string[]): Promise<Stats[]>
  /**
   * Whether the kernel ended something in a container for want of memory. Podman tells it of a container that ended, and
   * forgets it with the container: false when that is gone.
   */
  wasOutOfMemory(id: string): Promise<boolean>
  close(): void
}

/** As Docker's API has it: what `podman events` calls `died` is `die` here. A container's labels are among the attributes. */
const eventSchema = z.object({
  Type: z.string(),
  Action: z.string(),
  /** Nanoseconds since the epoch, as near as a number comes to it. */
  timeNano: z.number(),
  Actor: z.object({ ID: z.string(), Attributes: z.nullish(z.record(z.string(), z.string())) }),
})
const firstRetryMs = 500
const longestRetryMs = 10_000
/** Podman counts in whole seconds, so some events are told again, at once after the connection. Later ones are news, whatever the clock says. */
const repeatsWithinMs = 5_000
/** A question that takes longer hangs; the command, which has a limit of its own, is asked then. */
const queryTimeoutMs = 20_000

/**
 * Follows Podman's events for as long as the app runs, through every loss of the connection, and lets `podman` ask the
 * same socket meanwhile. What happened while there was no connection is told once there is one.
 * @param since milliseconds since the epoch; what came later is told
 */
export function watchPodman(podman: Podman, socketsFolder: string, news: PodmanNews, since = Date.now()): PodmanWatch {
  const closed = new AbortController()
  const heard = { lastNano: since * 1e6 }
  const link: { service: Service | null; docker: Docker | null } = { service: null, docker: null }
  const release = () => {
    link.service?.close()
    link.service = null
    link.docker = null
    podman.api = null
  }

  const follow = async () => {
    link.service = await findService(podman, socketsFolder)
    const { socket: socketPath } = link.service
    // Loaded when first needed: it takes longer than all else that the app loads before its window.
    const { default: Client } = await import('dockerode')
    link.docker = new Client({ socketPath, timeout: queryTimeoutMs })
    // The clock may have been set back since.
    const knownNano = Math.min(heard.lastNano, Date.now() * 1e6)
    // Silence on the stream of events is no fault.
    const stream = await new Client({ socketPath }).getEvents({ since: Math.floor(knownNano / 1e9), filters: { type: ['container', 'image'] } })
    const repeatsUntil = performance.now() + repeatsWithinMs
    const end = () => (stream as unknown as { destroy(): void }).destroy()
    closed.signal.addEventListener('abort', end, { once: true })
    podman.api = createPodmanApi(link.docker)
    news.onConnection(true)
    try {
      for await (const line of createInterface({ input: stream })) {
        const event = readEvent(line)
        const isToldAgain = event !== null && event.timeNano <= knownNano && performance.now() < repeatsUntil
        if (event === null || isToldAgain) continue
        heard.lastNano = Math.max(heard.lastNano, event.timeNano)
        tell(event, news)
      }
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
    async wasOutOfMemory(id) {
      const inspected = await link.docker?.getContainer(id).inspect().catch(() => null)
      return inspected?.State.OOMKilled === true
    },
    close() {
      closed.abort()
      release()
    },
  }
}

function readEvent(line: string): z.infer<typeof eventSchema> | null {
  try {
    return eventSchema.parse(JSON.parse(line))
  } catch {
    return null
  }
}

function tell(event: z.infer<typeof eventSchema>, news: PodmanNews): void {
  if (event.Type === 'image') news.onImages()
  // Podman reports every exec and every attach too; they change nothing that is shown.
  else if (!/^(exec|attach)/.test(event.Action)) news.onContainers()
  if (event.Type !== 'container') return
  const { ID: id, Attributes } = event.Actor
  const { containerExitCode, image = '', ...labels } = Attributes ?? {}
  if (event.Action === 'kill') news.onKilled(id)
  if (event.Action === 'die') news.onDied({ id, exitCode: Number(containerExitCode ?? 0), image, labels })
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
