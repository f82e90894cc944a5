import { egressRules, formatEgressRules } from '../../../../shared/domain/egress-rules.ts'
import { findNft } from '../../egress/find-nft.ts'
import { fail, type HealthCheck, ok, warn } from '../health.ts'

/** Podman finds pasta, the network of rootless sandboxes. */
export const checkPasta: HealthCheck = ({ info }) => {
  const pasta = info?.host.pasta?.executable
  return pasta ? ok('pasta', pasta) : fail('pasta', 'Podman finds no pasta', 'Install passt (it contains pasta): sandboxes get their network from it.')
}

/** netavark is Podman’s network backend. */
export const checkNetavark: HealthCheck = ({ info }) => {
  const backend = info?.host.networkBackend
  return backend === 'netavark' ? ok('netavark', 'Podman’s network backend') : warn('netavark', `Podman’s network backend is ${backend ?? 'unknown'}`, 'Install netavark.')
}

/** socat can be started where Podman would start it: the way into running sandboxes needs it. */
export const checkSocat: HealthCheck = async ({ podman }) => {
  const { exitCode, stdout } = await podman.try(['unshare', 'socat', '-V'], { timeoutMs: 10_000 })
  const version = /socat version (\S+)/.exec(stdout)?.[1]
  return exitCode === 0 ? ok('socat', version ?? 'present') : warn('socat', 'not found', 'Install socat: shells, commands and files get into running sandboxes through it.')
}

/** The rules of a sandbox's network can be loaded, in a network namespace that is thrown away. */
export const checkNft: HealthCheck = async ({ podman, paths }) => {
  const nft = findNft([podman.path, paths.toolchainPodman])
  if (nft === null) return fail('nft', 'not found', 'Install nftables, or run "npm run host" in a checkout of Paddock: no sandbox starts without its network rules.')
  const rules = formatEgressRules(egressRules({ mode: 'open', mark: 'doctor', host: [], resolvers: [], places: [], published: { tcp: [], udp: [] } }))
  const { exitCode, stderr } = await podman.try(['unshare', 'unshare', '--net', nft, '--file', '-'], { input: rules, timeoutMs: 10_000 })
  if (exitCode === 0) return ok('nft', `loads network rules, ${nft}`)
  return fail('nft', `${nft} cannot load network rules: ${stderr.trim().split('\n').at(-1)}`, 'Load the kernel’s modules nf_tables, nft_ct and nft_reject_inet; no sandbox starts without its network rules.')
}
