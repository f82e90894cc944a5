import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LaunchPlan } from '../../../shared/contract/contract.ts'
import { judgeReceipt, parseReceipt } from '../../../shared/domain/egress-receipt.ts'
import { inspectContainers, removeContainer } from '../engine/containers.ts'
import type { Podman } from '../engine/podman.ts'
import { type LaunchRecord, readEgressReceipt, readReportedBootId, sandboxIdOf } from '../sandboxes/launch-record.ts'
import { proxyPlace } from './proxy/proxy-place.ts'
import { watchReport } from '../sandboxes/report-watch.ts'
import { egressFolderBeside } from '../store/paths.ts'

/** How a launch's rules came out. */
export type EgressVerdict =
  | { kind: 'held' }
  /** The hook ended the start: nothing of the sandbox ran. */
  | { kind: 'refused'; why: string }
  /** The sandbox was stopped, or Podman could not do that either. */
  | { kind: 'broken'; why: string; isLeft: boolean }
  /** It was over before there was a receipt: it ran without rules, or not at all. */
  | { kind: 'unknown' }

/**
 * Looks for the receipt of a launch's hook until there is one, and stops a sandbox that runs without a right one. Podman runs
 * the hook before anything of the sandbox, so the receipt only proves that it ran at all.
 */
export async function guardEgress(podman: Podman, record: LaunchRecord, plan: LaunchPlan, signal: AbortSignal): Promise<EgressVerdict> {
  if (plan.rules === null) return { kind: 'held' }
  const report = watchReport(record.receiptFile)
  const start = startWatch(podman, record)
  const broken = async (why: string): Promise<EgressVerdict> => ({ kind: 'broken', why, isLeft: !(await removeSandbox(podman, record, signal)) })
  try {
    for (;;) {
      // Asked first: a look at the receipt must follow each.
      const isOver = signal.aborted
      const hasStarted = await start.hasStarted()
      const receipt = parseReceipt(readEgressReceipt(record) ?? '')
      if (receipt !== null) {
        const why = judgeReceipt(receipt, { rules: plan.rules.expected, sandboxId: sandboxIdOf(record), hostNetns: plan.rules.hostNetns })
        if (why === null) return (await note(record, plan, receipt)) ? { kind: 'held' } : await broken('Paddock could not note them')
        if (!('refused' in receipt)) return await broken(why)
        await removeSandbox(podman, record, signal)
        return { kind: 'refused', why }
      }
      if (hasStarted) return await broken('Podman did not run the hook that puts them in place')
      if (isOver) return { kind: 'unknown' }
      await report.next(signal)
    }
  } finally {
    report.close()
  }
}

async function note(record: LaunchRecord, { egress: mode, proxyPort, profile, project }: LaunchPlan, receipt: object): Promise<boolean> {
  const netns = 'netns' in receipt ? receipt.netns : ''
  const { noteHistory } = proxyPort === null ? {} : await import('./proxy/request-log.ts')
  const history = { launchId: record.launchId, sandboxId: sandboxIdOf(record), profile, project }
  const notes = [writeFile(record.egressFile, JSON.stringify({ mode, netns, proxyPort }), { mode: 0o600 }), noteHistory?.(proxyPlace(egressFolderBeside(dirname(record.folder))), history)]
  return Promise.all(notes).then(() => true, () => false)
}

const removeAgainMs = 200

/** Removes the sandbox, and tries until that succeeds or its client has ended. @returns false when it may run on */
export async function removeSandbox(podman: Podman, record: LaunchRecord, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const isOver = signal.aborted
    const sandboxId = sandboxIdOf(record)
    if (sandboxId !== '' && (await removeContainer(podman, sandboxId).then(() => true, () => false))) return true
    if (isOver) return sandboxId === ''
    await sleep(removeAgainMs, undefined, { signal }).catch(() => {})
  }
}

/** An image without Paddock's entrypoint reports nothing: Podman is asked, once the hook should have been done for long. */
const askAfterMs = 2_000
const askEveryMs = 1_000
/** A Podman that so often says nothing may hide a sandbox that runs. */
const maxSilences = 3

/** Tells whether a sandbox has begun to run: by its own report, or by Podman's word. */
function startWatch(podman: Podman, record: LaunchRecord): { hasStarted(): Promise<boolean> } {
  let askAt: number | undefined
  let silences = 0
  return {
    async hasStarted() {
      if (readReportedBootId(record) !== null) return true
      const sandboxId = sandboxIdOf(record)
      if (sandboxId === '') return false
      askAt ??= performance.now() + askAfterMs
      if (performance.now() < askAt) return false
      askAt = performance.now() + askEveryMs
      const found = await inspectContainers(podman, [sandboxId]).catch(() => null)
      silences = found === null ? silences + 1 : 0
      return silences === maxSilences || found?.[0]?.State.Status === 'running'
    },
  }
}
