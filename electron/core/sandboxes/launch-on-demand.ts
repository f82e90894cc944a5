import { access, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LaunchPlan } from '../../../shared/contract/contract.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { inspectContainers } from '../engine/containers.ts'
import { hintFor } from '../engine/hints.ts'
import { podmanEnvironment, podmanMissing, type Podman } from '../engine/podman.ts'
import { startFollowed } from '../process/background.ts'
import { redactCommand } from '../process/redact.ts'
import { launchRecord } from './launch-record.ts'
import { watchLaunch } from './run-launch.ts'

/**
 * What such a sandbox runs: bash takes in what other programs leave behind, and hears at once that it should end, which no
 * program does as a first process unless it asks for the signal.
 */
export const onDemandCommand = ['/bin/bash', '-c', 'trap "exit 0" HUP TERM; while :; do sleep 86400 & wait $!; done']

const lookAgainMs = 50

/**
 * Starts a prepared sandbox without a terminal, for those who work in it through its channel. It goes on if this process
 * is killed.
 * @returns Podman's id, once it runs, its network rules are in place and, where a microVM was asked for, it is one
 * @throws {PaddockError} `podman-missing`, `podman-failed`, `isolation-broken`, `egress-broken`, `egress-unavailable`
 */
export async function launchOnDemand(podman: Podman, launchesFolder: string, plan: LaunchPlan): Promise<string> {
  const record = launchRecord(launchesFolder, plan.launchId)!
  await writeFile(record.onDemandFile, '', { mode: 0o600 })
  const watch = watchLaunch(podman, launchesFolder, plan)
  const client = startFollowed(plan.command as [string, ...string[]], podmanEnvironment)
  const failure = client.ended.then(
    async (exitCode) => {
      // Says so itself when the sandbox was no microVM.
      await watch.ended(exitCode, false)
      return notStarted(plan, exitCode, client.complaint())
    },
    async (error: NodeJS.ErrnoException) => {
      await watch.failed()
      return error.code === 'ENOENT' ? podmanMissing(podman.path) : error
    },
  )
  let failed: Error | undefined
  failure.then((error) => (failed = error), (error: Error) => (failed = error))
  for (;;) {
    if (failed) throw failed
    const id = await watch.sandboxId()
    if (id === null) throw await failure
    if ((await watch.egress).kind !== 'held') throw await failure
    const [container] = await inspectContainers(podman, [id])
    const isMeasured = plan.isolation !== 'microvm' || (await access(record.verifiedFile).then(() => true, () => false))
    if (container?.State.Status === 'running' && isMeasured) return id
    await sleep(lookAgainMs)
  }
}

function notStarted(plan: LaunchPlan, exitCode: number, stderrTail: string): PaddockError {
  const last = stderrTail.split('\n').at(-1)?.replace(/^Error: /, '')
  return new PaddockError({
    code: 'podman-failed',
    message: `The sandbox ended as it started: ${last || `exit code ${exitCode}`}.`.replace(/\.\.$/, '.'),
    hint: hintFor(exitCode, stderrTail) ?? `"paddock run ${plan.profile}" in the project shows more.`,
    command: redactCommand(plan.command),
    exitCode,
    stderrTail,
  })
}
