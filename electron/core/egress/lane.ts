import { open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'

/** The way of one sandbox to the proxy: a port that leads from its loopback and from nowhere else in a sandbox. */
export const laneSchema = z.object({
  /** Of this machine's loopback, where the proxy listens. */
  port: z.number(),
  /** What the proxy reads of it. */
  proxyPolicyFile: z.string(),
  launchId: z.string(),
  profile: z.string(),
  project: z.string(),
  /** Words of the label's `egress-allow`. */
  words: z.array(z.string()),
})
export type Lane = z.infer<typeof laneSchema>

/** The first line of a port's file, which tells whose it is. */
const ownerLine = (launchId: string) => `launch ${launchId}\n`

/**
 * Takes a port that no other sandbox has: whose file can be made owns it. By its first line it is given back, should this
 * process end before there is a record.
 * @param portFile the file of a port's policy
 * @throws {PaddockError} `egress-unavailable` when all are taken
 */
export async function takePort(ports: readonly number[], portFile: (port: number) => string, launchId: string): Promise<number> {
  for (const port of ports) {
    const file = await open(portFile(port), 'wx', 0o600).catch(() => null)
    if (file === null) continue
    await file.writeFile(ownerLine(launchId)).finally(() => file.close())
    return port
  }
  throw new PaddockError({
    code: 'egress-unavailable',
    message: `All ${ports.length} places of the proxy are taken by sandboxes with an allowlist.`,
    hint: 'Stop some of them: "paddock ls" lists sandboxes.',
  })
}

/** A launch makes its record within a moment of taking a port. */
const unsettledMs = 60_000

/** Gives back the ports of launches that were killed before they had a record. */
export async function sweepPorts(policiesFolder: string, launchesFolder: string): Promise<void> {
  for (const name of await readdir(policiesFolder).catch(() => [])) {
    const file = join(policiesFolder, name)
    const age = Date.now() - (await stat(file).then(({ mtimeMs }) => mtimeMs, () => Date.now()))
    if (age < unsettledMs) continue
    const launchId = /^launch ([0-9a-f-]{36})\n/.exec(await readFile(file, 'utf8').catch(() => ''))?.[1]
    const isAlive = launchId !== undefined && (await stat(join(launchesFolder, launchId)).then(() => true, () => false))
    if (!isAlive) await rm(file, { force: true })
  }
}

/** Reads a launch's lane; null without one. */
export async function readLane(policyFile: string): Promise<Lane | null> {
  try {
    return laneSchema.parse(JSON.parse(await readFile(policyFile, 'utf8')))
  } catch {
    return null
  }
}

/**
 * Whether a port is a launch's still. Whoever writes its file asks first: a port that was given back may be another's, and a
 * second sandbox at it would have the first one's policy.
 */
export async function ownsPort(portFile: string, launchId: string): Promise<boolean> {
  return (await readFile(portFile, 'utf8').catch(() => '')).startsWith(ownerLine(launchId))
}

/** Gives the port back, unless it is another launch's by now. Closing what is closed succeeds. */
export async function closeLane(policyFile: string): Promise<void> {
  const lane = await readLane(policyFile)
  if (lane !== null) await releasePort(lane.proxyPolicyFile, lane.launchId)
}

/** The same for one that has no record yet. */
export async function releasePort(portFile: string, launchId: string): Promise<void> {
  if (await ownsPort(portFile, launchId)) await rm(portFile, { force: true })
}

/** Writes what later finds the lane of a launch. */
export const writeLane = (policyFile: string, lane: Lane) => writeFile(policyFile, JSON.stringify(lane), { mode: 0o600 })
