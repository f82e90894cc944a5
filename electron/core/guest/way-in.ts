import { readFile } from 'node:fs/promises'
import { sandboxLabels } from '../../../shared/domain/launch.ts'
import { channelPort } from '../../../shared/domain/guest.ts'
import { sessionEnvironment } from '../../../shared/domain/guest-command.ts'
import { homeMountPoint } from '../../../shared/domain/sandbox.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { type InspectedContainer, inspectContainers } from '../engine/containers.ts'
import type { Podman } from '../engine/podman.ts'
import { missingKeys } from '../sandboxes/launch-keys.ts'
import { isRecordOf, type LaunchRecord, launchRecord, readChannelComplaint } from '../sandboxes/launch-record.ts'

/** What has to be known to reach a sandbox's sshd. */
export interface WayIn {
  sandboxId: string
  record: LaunchRecord
  /** Reaches sshd on its stdin and stdout, through the sandbox's network namespace: no port of the host is involved. */
  command: [string, ...string[]]
  /** OpenSSH's text; opens this sandbox's sshd and no other. */
  clientKey: string
  /** The host key's blob. The guest has to prove it, so a process id that meanwhile belongs to somebody else is noticed. */
  hostKey: Buffer
  /** What sessions get of the sandbox's own variables. */
  env: Record<string, string>
  /** Where the sandbox's own command started. */
  workdir: string
  /** How long its sshd may still take to listen. */
  patienceMs: number
  /** What the guest says about why there is no sshd; hostile text. It is told only if none answers. */
  complaint: string | null
}

/** A sandbox as young as this may still be on its way to its sshd; a microVM boots first. */
const youngMs = { container: 15_000, microvm: 45_000 } as const
const connectEverySeconds = 0.05

/**
 * Finds the way into a running sandbox. @param id Podman's full id
 * @throws {PaddockError} `sandbox-unknown`, `channel-unavailable` with the reason
 */
export async function findWayIn(podman: Podman, launchesFolder: string, id: string): Promise<WayIn> {
  const [container] = await inspectContainers(podman, [id])
  if (!container) throw new PaddockError({ code: 'sandbox-unknown', message: `Sandbox ${id.slice(0, 12)} is gone.`, hint: '"paddock ls" lists the sandboxes.' })
  const record = launchRecord(launchesFolder, container.Config.Labels?.[sandboxLabels.launch] ?? '')
  const problem = await keysProblem(record, container)
  if (problem !== null || record === null) throw noChannel(id, problem ?? '')
  if (container.State.Status !== 'running' || !container.State.Pid) throw noChannel(id, `it is ${container.State.Status}, not running`)
  const [clientKey, knownHosts] = await Promise.all([readFile(record.clientKeyFile, 'utf8'), readFile(record.knownHostsFile, 'utf8')])
  const complaint = readChannelComplaint(record)
  const age = Date.now() - Date.parse(container.State.StartedAt)
  const patienceMs = complaint !== null ? 0 : Math.max(0, (container.OCIRuntime.includes('krun') ? youngMs.microvm : youngMs.container) - age)
  return {
    sandboxId: id,
    record,
    command: podman.command(['unshare', 'nsenter', '--target', String(container.State.Pid), '--net', 'socat', '-b', '65536', '-', addressOf(patienceMs)]),
    clientKey,
    hostKey: Buffer.from(knownHosts.trim().split(' ')[2] ?? '', 'base64'),
    env: sessionEnvironment(container.Config.Env ?? []),
    workdir: container.Config.WorkingDir || homeMountPoint,
    patienceMs,
    complaint,
  }
}

/** As socat has it; it tries again by itself, in the namespace, until sshd listens. Source: socat(1). */
function addressOf(patienceMs: number): string {
  const tries = Math.ceil(patienceMs / 1_000 / connectEverySeconds)
  return `TCP4:127.0.0.1:${channelPort},nodelay,retry=${tries},interval=${connectEverySeconds}`
}

/**
 * Why a sandbox cannot be reached through the guest channel, as far as that can be told without trying; the end of a
 * sentence, which may hold hostile text. Null when nothing speaks against it.
 */
export async function channelProblem(record: LaunchRecord | null, container: InspectedContainer): Promise<string | null> {
  return (await keysProblem(record, container)) ?? (record && readChannelComplaint(record))
}

async function keysProblem(record: LaunchRecord | null, container: InspectedContainer): Promise<string | null> {
  if (record === null) return 'it was started by plain Podman, without the keys of a guest channel'
  if (!isRecordOf(record, container.Id)) return 'the keys of its launch are not there'
  if (await readFile(record.clientKeyFile).then(() => false, () => true)) return missingKeys(record)
  return null
}

/** The error for a sandbox without a channel. */
export function noChannel(id: string, why: string): PaddockError {
  return new PaddockError({
    code: 'channel-unavailable',
    message: `Sandbox ${id.slice(0, 12)} cannot be reached from here: ${why}.`,
    hint: 'Its first terminal works: "paddock attach". One that "paddock run" starts anew, from an image with sshd, can be reached.',
  })
}
