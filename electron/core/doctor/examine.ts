import type { Check } from '../../../shared/domain/check.ts'
import { toErrorReport } from '../../../shared/errors/paddock-error.ts'
import { podmanInfo } from '../engine/info.ts'
import type { Podman } from '../engine/podman.ts'
import { probeMicrovm } from '../sandboxes/probe-microvm.ts'
import { checkContainerHost, checkSubids, checkTun } from './checks/account.ts'
import { checkCgroups, checkLimits } from './checks/limits.ts'
import { checkKrun, checkKvm, checkPasst } from './checks/microvm.ts'
import { checkNetavark, checkNft, checkPasta, checkSocat } from './checks/network.ts'
import { checkPodman } from './checks/podman.ts'
import { checkRuntime } from './checks/runtime.ts'
import { checkBaseImage, checkDisk, checkSocket } from './checks/storage.ts'
import { fail, type HealthCheck, type Patient } from './health.ts'

const checks: Record<string, HealthCheck> = {
  Podman: checkPodman,
  crun: checkRuntime,
  krun: checkKrun,
  '/dev/kvm': checkKvm,
  passt: checkPasst,
  pasta: checkPasta,
  netavark: checkNetavark,
  nft: checkNft,
  socat: checkSocat,
  'Subordinate ids': checkSubids,
  '/dev/net/tun': checkTun,
  'Control groups': checkCgroups,
  Limits: checkLimits,
  Socket: checkSocket,
  Disk: checkDisk,
  'Base image': checkBaseImage,
  CONTAINER_HOST: checkContainerHost,
}

/** Asks every question; a check that breaks is reported as failed, in its place. */
export async function examine(host: Omit<Patient, 'info' | 'infoError' | 'microvm'>): Promise<Check[]> {
  const [answer, microvm] = await Promise.all([askPodman(host.podman), probeMicrovm(host.podman)])
  const patient: Patient = { ...host, ...answer, microvm }
  return Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        return await check(patient)
      } catch (error) {
        return fail(name, `could not be checked: ${toErrorReport(error).message}`, 'See what it says.')
      }
    }),
  )
}

async function askPodman(podman: Podman): Promise<Pick<Patient, 'info' | 'infoError'>> {
  try {
    return { info: await podmanInfo(podman), infoError: null }
  } catch (error) {
    return { info: null, infoError: toErrorReport(error).message }
  }
}
