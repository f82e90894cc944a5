import { unenforcedCaps, unenforcedNote } from '../../sandboxes/cgroup-limits.ts'
import { readFile } from 'node:fs/promises'
import { fail, type HealthCheck, ok, warn } from '../health.ts'

/** Controllers of version 2 beside those of version 1: crun starts nothing then. */
const hybridControllers = '/sys/fs/cgroup/unified/cgroup.controllers'

export const checkCgroups: HealthCheck = async () => {
  const controllers = (await readFile(hybridControllers, 'utf8').catch(() => '')).trim()
  if (controllers === '') return ok('Control groups', 'of one version')
  return fail('Control groups', `versions 1 and 2 are mixed (version 2 has ${controllers}), and crun starts nothing then`, 'Start the host with control groups v2 (kernel argument systemd.unified_cgroup_hierarchy=1), or until then: sudo umount /sys/fs/cgroup/unified.')
}

/** Control groups hold a container’s limits for this account. */
export const checkLimits: HealthCheck = async ({ info }) => {
  const note = unenforcedNote(unenforcedCaps(), false)
  if (note === null) return ok('Limits', 'memory, CPU and process limits hold (control groups v2)')
  const fix = info?.host.cgroupVersion === 'v2'
    ? 'Let systemd delegate cpu, memory and pids to your account (Delegate= in user@.service).'
    : 'Start the host with control groups v2 (kernel argument systemd.unified_cgroup_hierarchy=1).'
  return warn('Limits', note, fix)
}
