import * as z from 'zod/mini'
import { parseReply, podmanFailed, type Podman } from './podman.ts'

const listSchema = z.array(
  z.object({
    Id: z.string(),
    Image: z.string(),
    State: z.string(),
    Labels: z.nullish(z.record(z.string(), z.string())),
  }),
)

/** A line of `podman ps --all`. */
export type ListedContainer = z.infer<typeof listSchema>[number]

export async function listContainers(podman: Podman): Promise<ListedContainer[]> {
  return parseReply(listSchema, await podman.run(['ps', '--all', '--no-trunc', '--format', 'json']))
}

const portSchema = z.nullish(z.array(z.object({ HostIp: z.string(), HostPort: z.string() })))

const inspectSchema = z.array(
  z.object({
    Id: z.string(),
    ImageName: z.string(),
    OCIRuntime: z.string(),
    State: z.object({ Status: z.string(), StartedAt: z.string(), Error: z.optional(z.string()) }),
    Mounts: z.array(z.object({ Source: z.optional(z.string()), Destination: z.string() })),
    Config: z.object({
      Labels: z.nullish(z.record(z.string(), z.string())),
      CreateCommand: z.nullish(z.array(z.string())),
    }),
    NetworkSettings: z.object({ Ports: z.nullish(z.record(z.string(), portSchema)) }),
  }),
)

/** What Podman knows of a container; label values may come from an image and are hostile. */
export type InspectedContainer = z.infer<typeof inspectSchema>[number]

/**
 * Inspects containers in one call.
 * @returns those that exist; the others are left out
 */
export async function inspectContainers(podman: Podman, ids: readonly string[]): Promise<InspectedContainer[]> {
  if (ids.length === 0) return []
  const ended = await podman.try(['container', 'inspect', ...ids])
  // 125 is also the answer when only some of the containers are missing.
  const onlyMissing = ended.stderr.split('\n').every((line) => line === '' || /no such (object|container)|level=warning/.test(line))
  if (ended.ended !== 'exited' || (ended.exitCode !== 0 && !onlyMissing)) throw podmanFailed(ended)
  return parseReply(inspectSchema, ended)
}

/** Removes a container, running or not, at once; removing what does not exist succeeds. */
export async function removeContainer(podman: Podman, id: string): Promise<void> {
  await podman.run(['rm', '--force', '--ignore', '--time', '0', id])
}
