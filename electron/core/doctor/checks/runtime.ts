import { fail, type HealthCheck, ok, warn } from '../health.ts'

/** The runtime for container isolation. */
export const checkRuntime: HealthCheck = ({ info }) => {
  const runtime = info?.host.ociRuntime
  if (!runtime) return fail('crun', 'Podman names no OCI runtime', 'Install crun.')
  const version = runtime.version.split('\n')[0] ?? ''
  return runtime.name === 'crun' ? ok('crun', `${version}, ${runtime.path}`) : warn('crun', `Podman uses ${runtime.name} (${version})`, 'Install crun; Paddock is tested with it.')
}
