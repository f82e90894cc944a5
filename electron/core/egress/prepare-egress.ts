import type { LaunchPlan } from '../../../shared/contract/contract.ts'
import { type EgressMode, egressObstacle, writtenAllowances } from '../../../shared/domain/egress.ts'
import { placesOf } from '../../../shared/domain/egress-allowances.ts'
import { publishedPorts } from '../../../shared/domain/egress-places.ts'
import { egressRules, formatEgressRules, pastaResolver } from '../../../shared/domain/egress-rules.ts'
import { parsePrefix } from '../../../shared/domain/ip-prefix.ts'
import { type RunOption, valuesOf } from '../../../shared/domain/run-flags.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { EgressFiles, LaunchRecord } from '../sandboxes/launch-record.ts'
import { egressHook } from './egress-hook.ts'
import type { HostNetwork } from './host-network.ts'

/** What a launch does about the network of its sandbox. */
export interface PreparedEgress {
  /** null where the network is not the sandbox's own. */
  rules: LaunchPlan['rules']
  /** Written into the launch's record; null without rules. */
  files: EgressFiles | null
  /** Why the rules may not hold, a sentence; null when they do. */
  weakness: string | null
}

/**
 * Makes the rules and the hook of a launch. Nothing is written yet.
 * @param options as the launch will pass them
 * @param proxyPort the sandbox's port of the proxy, in `allowlist`
 * @throws {PaddockError} `egress-unavailable` when the mode is closed and cannot be held
 */
export function prepareEgress(mode: EgressMode, options: readonly RunOption[], host: HostNetwork, nft: string, record: LaunchRecord, proxyPort: number | null): PreparedEgress {
  const obstacle = egressObstacle(options, proxyPort)
  if (obstacle?.isShared && mode !== 'open') {
    throw new PaddockError({ code: 'egress-unavailable', message: `Egress ${mode} cannot be held: ${obstacle.why}.`, hint: 'Take that out of the run label, or choose --egress open.' })
  }
  const weakness = obstacle === null ? null : `Its network is not held: ${obstacle.why}.`
  if (obstacle?.isShared) return { rules: null, files: null, weakness }
  const named = valuesOf(options, '--dns').map(parsePrefix)
  const expected = egressRules({
    mode,
    mark: record.launchId,
    host: host.addresses,
    resolvers: [pastaResolver, ...named.filter((address) => address !== null)],
    places: placesOf(writtenAllowances(options)),
    published: publishedPorts(options),
  })
  const hook = egressHook({ nft, rulesFile: record.rulesFile, receiptFile: record.receiptFile, hostNetns: host.netns })
  return { rules: { expected, hostNetns: host.netns }, files: { rules: formatEgressRules(expected), hook }, weakness }
}

/** The error for a host without nft. */
export function nftMissing(): PaddockError {
  return new PaddockError({
    code: 'egress-unavailable',
    message: 'The network of a sandbox cannot be held: nft was not found.',
    hint: 'Install nftables, or run "npm run host" in a checkout of Paddock; "paddock doctor" looks for it.',
  })
}
