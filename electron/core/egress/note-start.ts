import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasStarted, inspectContainers } from '../engine/containers.ts'
import type { Podman } from '../engine/podman.ts'
import { type LaunchRecord, sandboxIdOf } from '../sandboxes/launch-record.ts'

/** Nobody waits for this, so it takes nothing from the start. */
const askEveryMs = 2_000

/**
 * Notes when Podman began to run a launch's sandbox, while its client is there: until then Podman has not started it again.
 * @param signal aborted when the client ended
 */
export async function noteStart(podman: Podman, record: LaunchRecord, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(askEveryMs, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return
    const [container] = await inspectContainers(podman, [sandboxIdOf(record)]).catch(() => [])
    if (signal.aborted) return
    // In one go with that: whoever ends a launch removes its record.
    if (container && hasStarted(container)) return writeFileSync(record.startFile, container.State.StartedAt, { mode: 0o600 })
  }
}
