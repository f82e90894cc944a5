import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LaunchPlan } from '../../../shared/contract/contract.ts'
import { judgeIsolation } from '../../../shared/domain/sandbox.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { egressFailure } from '../egress/egress-failure.ts'
import { type EgressVerdict, guardEgress } from '../egress/guard-egress.ts'
import { noteStart } from '../egress/note-start.ts'
import { launchEnvironment, podmanMissing, type Podman } from '../engine/podman.ts'
import { redactCommand } from '../process/redact.ts'
import { runAttached } from '../process/run-attached.ts'
import { hostBootId } from './host-boot-id.ts'
import { type LaunchRecord, launchRecord, readReportedBootId, removeLaunchRecord, sandboxIdOf } from './launch-record.ts'
import { watchReport } from './report-watch.ts'

/** Exit code of Podman's own failures; the sandbox did not start. */
const engineFailed = 125
const firstSignalCode = 128

/**
 * Starts a prepared sandbox with this process's terminal and waits for it.
 * @returns the sandbox's exit code
 * @throws {PaddockError} `isolation-broken` when a microVM was asked for and its kernel is the host's, `egress-broken` when its
 * network rules are not in place: it is stopped; `egress-unavailable` when they could not be
 */
export async function runLaunch(podman: Podman, launchesFolder: string, plan: LaunchPlan, tty: boolean): Promise<number> {
  const watch = watchLaunch(podman, launchesFolder, plan)
  let exitCode: number
  try {
    exitCode = await runAttached(plan.command as [string, ...string[]], { env: launchEnvironment, onToldToEnd: watch.toldToEnd })
  } catch (error) {
    await watch.failed()
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? podmanMissing(podman.path) : error
  }
  await watch.ended(exitCode, tty)
  return exitCode
}

/** How soon Podman's id of a sandbox is looked for again. */
const lookAgainMs = 4

/** What accompanies a started sandbox until its client ends. */
export interface LaunchWatch {
  /** Podman's id of the sandbox, as soon as there is one; null when the client ended first. */
  sandboxId(): Promise<string | null>
  /** How the network rules came out; other than held, the sandbox is being ended. */
  egress: Promise<EgressVerdict>
  /** The client was told to end: a sandbox that does not hear it is ended after a while. */
  toldToEnd(): void
  /** The client could not be started. */
  failed(): Promise<void>
  /** The client ended. @throws {PaddockError} `isolation-broken`, `egress-broken`, `egress-unavailable` */
  ended(exitCode: number, tty: boolean): Promise<void>
}

/** Begins to watch a launch; to be called as its client is started. */
export function watchLaunch(podman: Podman, launchesFolder: string, plan: LaunchPlan): LaunchWatch {
  const record = launchRecord(launchesFolder, plan.launchId)!
  const guard = new AbortController()
  const verdict = plan.isolation === 'microvm' ? guardIsolation(podman, record, guard.signal) : Promise.resolve(true)
  const rules = guardEgress(podman, record, plan, guard.signal)
  // Its failure is told once the sandbox has ended; until then nobody waits for it.
  verdict.catch(() => {})
  rules.then(({ kind }) => (kind === 'held' && plan.rules ? noteStart(podman, record, guard.signal) : undefined)).catch(() => {})
  return {
    egress: rules,
    async sandboxId() {
      for (;;) {
        const isOver = guard.signal.aborted
        const id = sandboxIdOf(record)
        if (id !== '') return id
        if (isOver) return null
        await sleep(lookAgainMs, undefined, { signal: guard.signal }).catch(() => {})
      }
    },
    toldToEnd: () => void endLate(podman, record, guard.signal),
    async failed() {
      guard.abort()
      await removeLaunchRecord(record)
    },
    async ended(exitCode, tty) {
      guard.abort()
      try {
        if (!(await verdict)) throw notAMicrovm(plan)
        const failure = await egressFailure(podman, await rules, plan, record, exitCode)
        if (failure !== null) throw failure
      } finally {
        await tidy(podman, record, exitCode, tty)
      }
    },
  }
}

/** Leaves nothing of a sandbox that ended or never started; a sandbox that the person detached from goes on. */
async function tidy(podman: Podman, record: LaunchRecord, exitCode: number, tty: boolean): Promise<void> {
  const id = sandboxIdOf(record)
  if (id !== '' && exitCode === engineFailed) await remove(podman, id)
  else if (id !== '' && (tty || exitCode >= firstSignalCode)) {
    const { exitCode: absent } = await podman.try(['container', 'exists', id])
    if (absent === 0) return
  }
  await removeLaunchRecord(record)
}

/** As `podman stop` has it. */
const endAfterMs = 10_000

/** A sandbox's first process hears no signal that it does not handle (pid_namespaces(7)); after a while it is ended. */
async function endLate(podman: Podman, record: LaunchRecord, isOver: AbortSignal): Promise<void> {
  const isStillThere = await sleep(endAfterMs, true, { signal: isOver }).catch(() => false)
  const id = isStillThere && sandboxIdOf(record)
  if (id) await podman.try(['kill', id]).catch(() => {})
}

async function remove(podman: Podman, id: string): Promise<void> {
  const { removeContainer } = await import('../engine/containers.ts')
  await removeContainer(podman, id)
}

/** Stops the sandbox as soon as it reports the host's own kernel. @returns false when it had to */
async function guardIsolation(podman: Podman, record: LaunchRecord, signal: AbortSignal): Promise<boolean> {
  const host = await hostBootId()
  const report = watchReport(record.bootIdFile)
  try {
    for (;;) {
      // Asked first: after the sandbox's end one more look must follow, since a short command may just have reported.
      const isOver = signal.aborted
      const seen = readReportedBootId(record)
      if (seen !== null && seen.endsWith('\n')) return await judgeReport(podman, record, seen, host)
      if (isOver) return true
      await report.next(signal)
    }
  } finally {
    report.close()
  }
}

async function judgeReport(podman: Podman, record: LaunchRecord, seen: string, host: string): Promise<boolean> {
  if (judgeIsolation(seen, host, 'krun') === 'microvm') {
    // The entrypoint writes before anything of the agent's can run, and this is the first reading, 20 ms later as a
    // rule. A program that starts at once could overwrite it in between: krun's version is the other half of the
    // judgement.
    await writeFile(record.verifiedFile, '', { mode: 0o600 })
    return true
  }
  const id = sandboxIdOf(record)
  if (id !== '') await remove(podman, id)
  return false
}

function notAMicrovm(plan: LaunchPlan): PaddockError {
  return new PaddockError({
    code: 'isolation-broken',
    message: 'The sandbox was stopped: it was to be a microVM, but it runs on the host’s own kernel.',
    hint: 'krun started a plain container; see "paddock doctor". --isolation container accepts a container.',
    command: redactCommand(plan.command),
  })
}
