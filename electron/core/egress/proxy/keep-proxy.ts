import { readdir } from 'node:fs/promises'
import type { CallContext } from '../../../../shared/contract/contract.ts'
import type { Sandbox } from '../../../../shared/domain/sandbox.ts'
import { toErrorReport } from '../../../../shared/errors/paddock-error.ts'
import type { ProxyPlace } from './proxy-place.ts'
import { runningProxy } from './run-proxy.ts'

export interface ProxyKeeperServices {
  place: ProxyPlace
  list: () => Promise<Sandbox[]>
  /** Starts the proxy, with its rules, or throws. */
  ensure: (context: CallContext) => Promise<void>
}

/** Looks for a proxy that was killed under its sandboxes, and starts it again. Never throws: a failure is a warning. */
export type ProxyKeeper = (context: CallContext) => Promise<void>

/** Whoever follows looks every second; Podman is not to be asked that often for what it refused. */
const againAfterMs = 10_000

/**
 * Made for those who follow what sandboxes ask for. It is Paddock that starts the proxy again and not Podman's restart
 * policy, for that forgets `--hooks-dir`, and with it the rules: https://github.com/containers/podman/issues/17935
 */
export function createProxyKeeper({ place, list, ensure }: ProxyKeeperServices): ProxyKeeper {
  let isLooking = false
  let notBefore = 0
  const look = async (context: CallContext) => {
    if ((await runningProxy(place)) !== null) return
    // One that no sandbox needs has ended by itself.
    if ((await readdir(place.policiesFolder).catch(() => [])).length === 0) return
    notBefore = performance.now() + againAfterMs
    if ((await list()).some(({ egress, state }) => egress === 'allowlist' && state === 'running')) await ensure(context)
  }
  return async (context) => {
    if (isLooking || performance.now() < notBefore) return
    isLooking = true
    await look(context)
      .catch((error: unknown) => context.onProgress({ kind: 'warning', text: `The proxy of sandboxes with an allowlist is gone, and so they reach nothing: ${toErrorReport(error).message}` }))
      .finally(() => (isLooking = false))
  }
}
