import type { LaunchPlan } from '../../../shared/contract/contract.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { hasStarted, inspectContainers } from '../engine/containers.ts'
import type { Podman } from '../engine/podman.ts'
import { redactCommand } from '../process/redact.ts'
import { type LaunchRecord, readReportedBootId, sandboxIdOf } from '../sandboxes/launch-record.ts'
import { type EgressVerdict, removeSandbox } from './guard-egress.ts'

const noHook = 'Podman did not run the hook that puts them in place'

/** The error of a launch whose client has ended and whose rules came out like that; null when they hold, or nothing ran without them. */
export async function egressFailure(podman: Podman, verdict: EgressVerdict, plan: LaunchPlan, record: LaunchRecord, exitCode: number): Promise<PaddockError | null> {
  const command = redactCommand(plan.command)
  if (verdict.kind === 'held') return null
  if (verdict.kind === 'refused') {
    return new PaddockError({ code: 'egress-unavailable', message: `The sandbox was not started: its network rules could not be put in place (${verdict.why}).`, hint: '"paddock doctor" tries nft.', command })
  }
  if (verdict.kind === 'unknown' && !(await hasRun(podman, record, exitCode))) return null
  const { why, isLeft } = verdict.kind === 'broken' ? verdict : { why: noHook, isLeft: !(await removeSandbox(podman, record, AbortSignal.abort())) }
  return new PaddockError({
    code: 'egress-broken',
    message: `The sandbox ${isLeft ? 'should be stopped, and Podman failed to' : 'was stopped'}: its network rules are not in place, as ${why}.`,
    hint: isLeft ? `Stop it with "podman rm --force ${sandboxIdOf(record)}".` : 'Is Podman the one of this machine, and 5 or later? See "paddock doctor".',
    command,
  })
}

/** Podman's own failures; from 126 on a code may be of the runtime, of a signal or of the sandbox: podman-run(1), "Exit Status". */
const engineFailed = 125

async function hasRun(podman: Podman, record: LaunchRecord, exitCode: number): Promise<boolean> {
  if (exitCode < engineFailed || readReportedBootId(record) !== null) return true
  const sandboxId = sandboxIdOf(record)
  if (exitCode === engineFailed || sandboxId === '') return false
  const found = await inspectContainers(podman, [sandboxId]).catch(() => null)
  if (found?.[0] !== undefined) return hasStarted(found[0])
  // Gone with --rm, or not to be asked: what Podman logged is left, and without a word of that it counts as run.
  const logged = await podman.try(['events', '--stream=false', '--since=10m', '--filter', `container=${sandboxId}`, '--format', '{{.Status}}'])
  const statuses = logged.stdout.split('\n').map((line) => line.trim())
  return logged.exitCode !== 0 || !statuses.includes('create') || statuses.includes('start')
}
