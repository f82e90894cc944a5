import * as z from 'zod/mini'
import { parseRunArguments, type RunOption } from '../../../shared/domain/run-flags.ts'
import { askApi } from './api.ts'
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

/** Every container of this account, running or not, Paddock’s or not. @throws {PaddockError} `podman-missing`, `podman-failed` */
export async function listContainers(podman: Podman): Promise<ListedContainer[]> {
  const [answer] = (await askApi(podman, ['/containers/json?all=true'], listSchema)) ?? []
  if (answer) return answer
  return parseReply(listSchema, await podman.run(['ps', '--all', '--no-trunc', '--format', 'json']))
}

const portSchema = z.nullish(z.array(z.object({ HostIp: z.string(), HostPort: z.string() })))

const inspectSchema = z.object({
  Id: z.string(),
  ImageName: z.string(),
  OCIRuntime: z.string(),
  /** What it has, or can come by through set-uid programs. */
  BoundingCaps: z.nullish(z.array(z.string())),
  State: z.object({ Status: z.string(), StartedAt: z.string(), Error: z.optional(z.string()), CgroupPath: z.optional(z.string()), Pid: z.optional(z.number()) }),
  Mounts: z.array(z.object({ Source: z.optional(z.string()), Destination: z.string(), RW: z.optional(z.boolean()) })),
  Config: z.object({
    Labels: z.nullish(z.record(z.string(), z.string())),
    CreateCommand: z.nullish(z.array(z.string())),
    Env: z.nullish(z.array(z.string())),
    WorkingDir: z.optional(z.string()),
  }),
  NetworkSettings: z.object({ Ports: z.nullish(z.record(z.string(), portSchema)) }),
})

/** What Podman knows of a container; label values may come from an image and are hostile. */
export type InspectedContainer = z.infer<typeof inspectSchema>

/**
 * Inspects containers in one call.
 * @returns those that exist; the others are left out
 */
export async function inspectContainers(podman: Podman, ids: readonly string[]): Promise<InspectedContainer[]> {
  if (ids.length === 0) return []
  const answers = await askApi(podman, ids.map((id) => `/containers/${encodeURIComponent(id)}/json`), inspectSchema)
  if (answers) return answers.filter((answer) => answer !== null)
  const ended = await podman.try(['container', 'inspect', ...ids])
  // 125 is also the answer when only some of the containers are missing.
  const onlyMissing = ended.stderr.split('\n').every((line) => line === '' || /no such (object|container)|level=warning/.test(line))
  if (ended.ended !== 'exited' || (ended.exitCode !== 0 && !onlyMissing)) throw podmanFailed(ended)
  return parseReply(z.array(inspectSchema), ended)
}

const neverStarted = '0001-01-01'

/** Whether a container has ever run: Podman gives one that has not the zero time of Go. */
export const hasStarted = ({ State }: InspectedContainer) => !State.StartedAt.startsWith(neverStarted)

/** Removes a container, running or not, at once; removing what does not exist succeeds. */
export async function removeContainer(podman: Podman, id: string): Promise<void> {
  await podman.run(['rm', '--force', '--ignore', '--time', '0', id])
}

/** Options of the command that made a container: Podman itself forgets a limit that the host cannot enforce. */
export function optionsOf({ Config }: InspectedContainer): RunOption[] {
  const words = Config.CreateCommand ?? []
  try {
    return parseRunArguments(words.slice(words.indexOf('run') + 1)).options
  } catch {
    return []
  }
}

/** Whether a container runs, by its full id. */
export async function isStillRunning(podman: Podman, id: string): Promise<boolean> {
  const { stdout } = await podman.try(['container', 'inspect', '--format', '{{.State.Running}}', id])
  return stdout.trim() === 'true'
}
