import { readFile, readlink, stat } from 'node:fs/promises'
import * as z from 'zod/mini'
import { type EgressMode, egressModeSchema, egressObstacle, hasNoNetwork, isRulePower } from '../../../shared/domain/egress.ts'
import type { RunOption } from '../../../shared/domain/run-flags.ts'
import { type InspectedContainer, optionsOf } from '../engine/containers.ts'
import { isRecordOf, type LaunchRecord } from '../sandboxes/launch-record.ts'

const heldSchema = z.object({ mode: egressModeSchema, netns: z.string(), proxyPort: z.nullish(z.number()) })

/**
 * What a sandbox is held to: the mode whose rules the launcher saw in its namespace, unless it has a network and a way past
 * them; `deny` without a network; else `unenforced`. A sandbox that plain Podman started again has another namespace, without rules.
 */
export async function enforcedEgress(record: LaunchRecord | null, container: InspectedContainer): Promise<EgressMode | 'unenforced'> {
  const held = record && isRecordOf(record, container.Id) ? await readHeld(record) : null
  const options = optionsOf(container)
  if (held !== null && (await isFirstRun(record!, held.netns, container))) return held.mode !== 'deny' && canEscape(options, held.proxyPort ?? null, container) ? 'unenforced' : held.mode
  return hasNoNetwork(options) ? 'deny' : 'unenforced'
}

/** By its command, or by capabilities that Podman's own settings give to all containers. */
const canEscape = (options: readonly RunOption[], proxyPort: number | null, { BoundingCaps }: InspectedContainer) => egressObstacle(options, proxyPort) !== null || (BoundingCaps ?? []).some(isRulePower)

async function readHeld({ egressFile }: LaunchRecord): Promise<z.infer<typeof heldSchema> | null> {
  try {
    return heldSchema.parse(JSON.parse(await readFile(egressFile, 'utf8')))
  } catch {
    return null
  }
}

/** A start takes less, from the hook to Podman's note of it; counts until that is known. */
const startWithinMs = 30_000

/** Whether it runs as it was launched. The kernel gives the number of a namespace away again, so the time has to fit too. */
async function isFirstRun({ egressFile, startFile }: LaunchRecord, netns: string, { State: { Pid, StartedAt } }: InspectedContainer): Promise<boolean> {
  const noted = await readFile(startFile, 'utf8').catch(() => null)
  const isIts = noted === null ? Date.parse(StartedAt) - (await stat(egressFile)).mtimeMs < startWithinMs : Date.parse(StartedAt) === Date.parse(noted)
  if (!isIts || !Pid) return isIts
  // Not always ours to look at, as the process of a microVM may be.
  const seen = await readlink(`/proc/${Pid}/ns/net`).catch(() => null)
  return seen === null || seen === netns
}
