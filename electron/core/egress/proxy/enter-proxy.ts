import { dirname } from 'node:path'
import type { CallContext } from '../../../../shared/contract/contract.ts'
import type { LaunchRecord } from '../../sandboxes/launch-record.ts'
import { PaddockError } from '../../../../shared/errors/paddock-error.ts'
import { withFileLock } from '../../store/file-lock.ts'
import { ownsPort, releasePort, sweepPorts, takePort, writeLane } from '../lane.ts'
import type { PolicyStore } from './policy-store.ts'
import { policyFileOf } from './proxy-place.ts'
import { tidyLogs } from './request-log.ts'
import { ensureProxy, type ProxyServices } from './run-proxy.ts'

/** A launch's place at the proxy, before it has a record. */
export interface ReservedLane {
  port: number
  /** When there will be no record. */
  release(): Promise<void>
  /** Once the record is there: from then on the record's removal gives the place back. @throws {PaddockError} `egress-unavailable` when it is another's by now */
  settle(record: LaunchRecord, of: { profile: string; project: string; words: readonly string[] }): Promise<void>
}

/**
 * Starts the proxy where it does not run and takes a port of it for one launch.
 * @throws {PaddockError} as `ensureProxy` and `takePort` do
 */
export async function enterProxy(services: ProxyServices, store: PolicyStore, { launchId, folder }: LaunchRecord, context: CallContext): Promise<ReservedLane> {
  const { place } = services
  const ports = await ensureProxy(services, context)
  const portFile = (port: number) => policyFileOf(place, port)
  await tidyLogs(place)
  // Of two that sweep at once, the later would give back what the first has just taken.
  const port = await withFileLock(`${place.policiesFolder}.lock`, async () => {
    await sweepPorts(place.policiesFolder, dirname(folder))
    return takePort(ports, portFile, launchId)
  })
  return {
    port,
    release: () => releasePort(portFile(port), launchId),
    async settle(record, { profile, project, words }) {
      // It may have ended for want of sandboxes just before the port was taken.
      const portsNow = await ensureProxy(services, context)
      if (!portsNow.includes(port) || !(await ownsPort(portFile(port), launchId))) throw new PaddockError({ code: 'egress-unavailable', message: 'The sandbox lost its place at the proxy before it started.', hint: 'Launch it again.' })
      await writeLane(record.policyFile, { port, proxyPolicyFile: portFile(port), launchId, profile, project, words: [...words] })
      await store.apply(launchId)
    },
  }
}
