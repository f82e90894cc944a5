import { access, constants } from 'node:fs/promises'
import { fail, type HealthCheck, ok, warn } from '../health.ts'

/** A user namespace needs this many ids to hold `nobody` and every service account of an image. */
const neededIds = 65_536

/** Enough subordinate ids, counted by Podman as it maps them: subuid(5). */
export const checkSubids: HealthCheck = ({ info }) => {
  const ids = (info?.host.idMappings?.uidmap ?? []).reduce((sum, { size }) => sum + size, 0)
  if (ids >= neededIds) return ok('Subordinate ids', `${ids - 1} for this account`)
  return fail('Subordinate ids', `${Math.max(ids - 1, 0)} for this account, ${neededIds} are needed`, 'sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 "$USER", then podman system migrate.')
}

/** /dev/net/tun can be opened: pasta makes its network device with it. */
export const checkTun: HealthCheck = async () => {
  const isOpen = await access('/dev/net/tun', constants.R_OK | constants.W_OK).then(() => true, () => false)
  return isOpen ? ok('/dev/net/tun', 'usable') : fail('/dev/net/tun', 'you may not use it', 'sudo chmod 666 /dev/net/tun: pasta needs it.')
}

/** No variable points the person’s own podman commands at another machine. */
export const checkContainerHost: HealthCheck = ({ environment }) => {
  const set = ['CONTAINER_HOST', 'CONTAINER_CONNECTION'].filter((name) => environment[name])
  if (set.length === 0) return ok('CONTAINER_HOST', 'not set')
  return warn('CONTAINER_HOST', `${set.join(' and ')} set, and ignored`, 'Paddock uses the Podman of this machine only; your own podman commands may talk to another.')
}
