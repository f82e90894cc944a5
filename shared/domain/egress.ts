import * as z from 'zod/mini'
import { proxyEnvironment, proxyNetwork } from './proxy-environment.ts'
import { isSwitchedOn, lastValueOf, type RunOption, valuesOf } from './run-flags.ts'

/** What a sandbox may reach, the widest first. */
export const egressModes = ['open', 'allowlist', 'deny'] as const
export const egressModeSchema = z.enum(egressModes)
export type EgressMode = z.infer<typeof egressModeSchema>

/** The annotations of a run label by which a profile says it. */
export const egressAnnotation = 'dev.paddock.egress='
export const egressAllowAnnotation = 'dev.paddock.egress-allow='

/** Whether a mode lets more through than another. Pure. */
export const isWider = (mode: EgressMode, than: EgressMode) => egressModes.indexOf(mode) < egressModes.indexOf(than)

/** What the annotation says, as it is written; undefined where there is none. The last one counts, as for Podman. */
export function writtenEgress(options: readonly RunOption[]): string | undefined {
  return annotated(options, egressAnnotation).at(-1)
}

/**
 * The mode that a run label asks for. Without the annotation it is `open`; without a network it is never that. A mode that
 * nobody knows is the strictest. Pure.
 */
export function egressModeOf(options: readonly RunOption[]): EgressMode {
  const written = writtenEgress(options)
  const mode = written === undefined ? 'open' : (egressModes.find((known) => known === written) ?? 'deny')
  return mode === 'open' && hasNoNetwork(options) ? 'deny' : mode
}

/** Whether Podman alone gives a sandbox of this label no network. Pure. */
export function hasNoNetwork(options: readonly RunOption[]): boolean {
  const networks = valuesOf(options, '--network')
  return networks.length > 0 && networks.every((network) => network === 'none')
}

/** What a label allows by name, as it is written, several with commas between; `parseAllowance` reads each. Pure. */
export function writtenAllowances(options: readonly RunOption[]): string[] {
  return annotated(options, egressAllowAnnotation).flatMap((value) => value.split(',').map((word) => word.trim()).filter(Boolean))
}

function annotated(options: readonly RunOption[], prefix: string): string[] {
  return valuesOf(options, '--annotation').filter((annotation) => annotation.startsWith(prefix)).map((annotation) => annotation.slice(prefix.length))
}

/**
 * Capabilities by which a sandbox could change the rules of its own network namespace, or get past them: what a packet
 * socket sends never comes to them (packet(7)).
 */
const rulePowers = new Set(['all', 'net_admin', 'sys_admin', 'net_raw'])

/** Whether a capability, however it is spelled, lets a sandbox out of its rules. Pure. */
export const isRulePower = (capability: string) => rulePowers.has(capability.toLowerCase().replace(/^cap_/, ''))

/**
 * Why rules cannot hold a sandbox of this label, the end of a sentence; null when they can. Pure.
 * @param options as the launch will pass them
 * @param proxyPort what `withEgress` was given: its own way to the proxy is none to this machine
 */
export function egressObstacle(options: readonly RunOption[], proxyPort: number | null = null): { why: string; isShared: boolean } | null {
  const network = valuesOf(options, '--network').find((value) => /^(host$|ns:|container:)/.test(value))
  if (network !== undefined) return { why: `--network ${network} is not the sandbox’s own`, isShared: true }
  const pod = (['--pod', '--pod-id-file'] as const).find((flag) => lastValueOf(options, flag) !== undefined)
  if (pod !== undefined) return { why: `${pod} shares the network of other containers`, isShared: true }
  const power = valuesOf(options, '--cap-add').flatMap((value) => value.split(',')).find(isRulePower)
  if (power !== undefined) return { why: `--cap-add ${power} lets the sandbox out of its own rules`, isShared: false }
  if (isSwitchedOn(options, '--privileged')) return { why: '--privileged lets the sandbox out of its own rules', isShared: false }
  const steered = valuesOf(options, '--network').find((value) => /^(pasta|slirp4netns):./.test(value) && (proxyPort === null || value !== proxyNetwork(proxyPort)))
  return steered === undefined ? null : { why: `--network ${steered} may lead to this machine`, isShared: false }
}

/** Flags that mean something only with a network. Source: podman-run(1). */
const networkFlags: ReadonlySet<string> = new Set(['--publish', '--publish-all', '--dns', '--dns-option', '--dns-search', '--ip', '--ip6', '--mac-address', '--network-alias'])

/**
 * The options of a launch in a mode. A sandbox that may reach nothing gets no network, so that it stays closed without the
 * rules, too. One with an allowlist gets one in which its loopback leads to its port of the proxy. Pure.
 * @param proxyPort of this machine's loopback, in `allowlist`; null when there is no proxy
 */
export function withEgress(options: readonly RunOption[], mode: EgressMode, proxyPort: number | null = null): RunOption[] {
  const isOpen = mode === 'open'
  if (mode === 'allowlist' && proxyPort !== null) {
    const closed = withEgress(options, 'deny').filter(({ flag }) => flag !== '--http-proxy')
    return [...closed.map((option) => (option.flag === '--network' ? { ...option, value: proxyNetwork(proxyPort) } : option)), ...proxyEnvironment()]
  }
  if (isOpen !== hasNoNetwork(options)) return isOpen ? [...options] : options.filter(({ flag }) => !networkFlags.has(flag))
  const network = { flag: '--network', value: isOpen ? 'pasta' : 'none' }
  const kept = options.filter(({ flag }) => flag !== '--network' && (isOpen || !networkFlags.has(flag)))
  const at = options.findIndex(({ flag }) => flag === '--network')
  const before = at < 0 ? kept.length : options.slice(0, at).filter((option) => kept.includes(option)).length
  return kept.toSpliced(before, 0, network)
}
