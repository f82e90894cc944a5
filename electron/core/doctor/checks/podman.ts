import { fail, type HealthCheck, ok } from '../health.ts'

const oldestMajor = 5

/** Podman answers, is new enough and runs without root. */
export const checkPodman: HealthCheck = ({ podman, info, infoError }) => {
  if (info === null) return fail('Podman', infoError ?? 'does not answer', 'Install Podman 5 or later, or run "npm run host" in a checkout of Paddock.')
  const version = info.version.Version
  if (Number.parseInt(version) < oldestMajor) {
    return fail('Podman', `${version} at ${podman.path} is too old`, 'Install Podman 5 or later, or run "npm run host" in a checkout of Paddock.')
  }
  if (!info.host.security.rootless) return fail('Podman', `${version} runs as root`, 'Run Paddock as an ordinary user.')
  return ok('Podman', `${version}, rootless, ${podman.path}`)
}
