import { run } from '../../process/run.ts'
import { fail, type HealthCheck, ok, warn } from '../health.ts'
import { dirname, join } from 'node:path'

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

/** nft can be started. */
export const checkNft: HealthCheck = async ({ info }) => {
  // In sbin, which is not on an ordinary user's path; a private Podman has its own nft beside its other programs.
  const pasta = info?.host.pasta?.executable
  const places = [...(pasta ? [join(dirname(pasta), '../sbin/nft')] : []), '/usr/sbin/nft', '/sbin/nft', 'nft']
  for (const nft of places) {
    const { exitCode, stdout } = await run([nft, '--version'], { timeoutMs: 5_000 })
    if (exitCode === 0) return ok('nft', `${stdout.trim()}, ${nft}`)
  }
  return warn('nft', 'not found', 'Install nftables: network rules of sandboxes are made with it.')
}
