import { isExecutable } from '../files/may-access.ts'

/**
 * Which Podman to run: `PADDOCK_PODMAN`, else the private one that the set-up made because the distribution's own is
 * too old, else the one on the path.
 */
export function findPodman(toolchainPodman: string, environment: NodeJS.ProcessEnv = process.env): string {
  const chosen = environment.PADDOCK_PODMAN
  if (chosen) return chosen
  return isExecutable(toolchainPodman) ? toolchainPodman : 'podman'
}
