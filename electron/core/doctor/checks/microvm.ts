import { microvmObstacle, mustAvoidPasst } from '../../../../shared/domain/microvm.ts'
import { fail, type HealthCheck, ok, warn } from '../health.ts'

/** Without microVMs a launch works only for who has chosen containers. */
const severity = (isContainerChosen: boolean) => (isContainerChosen ? warn : fail)
const orContainer = 'Or accept containers with PADDOCK_ISOLATION=container.'

/** krun is there and was built with libkrun. */
export const checkKrun: HealthCheck = ({ microvm, settings }) => {
  const obstacle = microvmObstacle({ ...microvm, kvm: 'open' })
  if (obstacle === null) return ok('krun', `${microvm.krunVersion?.split('\n')[0]}, with libkrun`)
  return severity(settings.isolation === 'container')('krun', obstacle.why, `${obstacle.fix} ${orContainer}`)
}

/** /dev/kvm can be opened, not just seen. */
export const checkKvm: HealthCheck = ({ microvm, settings }) => {
  if (microvm.kvm === 'open') return ok('/dev/kvm', 'opened for reading and writing')
  const obstacle = microvmObstacle({ ...microvm, krunVersion: '+LIBKRUN' })!
  return severity(settings.isolation === 'container')('/dev/kvm', obstacle.why, `${obstacle.fix} ${orContainer}`)
}

/** passt works with `krun.use_passt=1` and this krun. */
export const checkPasst: HealthCheck = ({ microvm }) => {
  if (microvm.passtVersion === null) return warn('passt', 'not found', 'Install passt; until then microVMs use TSI for their network.')
  const version = microvm.passtVersion.split('\n')[0] || 'installed'
  if (!mustAvoidPasst(microvm)) return ok('passt', version)
  return warn('passt', `${version} does not work with krun.use_passt=1 and this krun`, 'Update crun to 1.30 or later; until then microVMs use TSI for their network.')
}
