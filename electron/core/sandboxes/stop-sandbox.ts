import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { removeContainer } from '../engine/containers.ts'
import { podmanFailed, type Podman } from '../engine/podman.ts'

const hangUpMs = 3_000
const termSeconds = 2

/** Has a guest end its first program from inside. @throws when it cannot be reached, or does not end it */
export type EndInGuest = (id: string) => Promise<void>

/**
 * Stops a sandbox: as a closed terminal would, then with SIGTERM, then SIGKILL. No signal of Podman's reaches a krun
 * guest, so there it is asked through its channel, and then the VMM is stopped after a second. Stopping what is stopped
 * or gone succeeds.
 */
export async function stopSandbox(podman: Podman, { id, isolation, state, channelProblem }: Sandbox, endInGuest: EndInGuest): Promise<void> {
  if (state === 'exited' || state === 'created') return
  // A guest that cannot be asked, or does not do it, is stopped all the same.
  if (isolation !== 'container' && state === 'running' && channelProblem === null) await endInGuest(id).catch(() => {})
  if (isolation === 'container' && state === 'running') {
    // An interactive shell ignores SIGTERM; a hang-up ends it and tells what runs in it.
    const hungUp = await podman.try(['kill', '--signal', 'HUP', id])
    if (hungUp.exitCode === 0) await podman.try(['wait', id], { timeoutMs: hangUpMs })
  }
  const stopped = await podman.try(['stop', '--ignore', '--time', String(isolation === 'container' ? termSeconds : 1), id])
  const isGone = /no such container|no container with/.test(stopped.stderr)
  if (stopped.exitCode !== 0 && !isGone) throw podmanFailed(stopped)
}

/**
 * Removes a stopped sandbox; a running one only with `force`.
 * @throws {PaddockError} `sandbox-running`
 */
export async function removeSandbox(podman: Podman, sandbox: Sandbox, force: boolean): Promise<void> {
  if (!force && (sandbox.state === 'running' || sandbox.state === 'paused')) {
    throw new PaddockError({
      code: 'sandbox-running',
      message: `Sandbox ${sandbox.id.slice(0, 12)} is ${sandbox.state}.`,
      hint: 'Stop it first, or remove it with --force.',
    })
  }
  await removeContainer(podman, sandbox.id)
}
