import { unenforcedCaps, unenforcedNote } from '../../sandboxes/cgroup-limits.ts'
import { type HealthCheck, ok, warn } from '../health.ts'

/** Control groups hold a container’s limits for this account. */
export const checkLimits: HealthCheck = async ({ info }) => {
  const note = unenforcedNote(await unenforcedCaps(), false)
  if (note === null) return ok('Limits', 'memory, CPU and process limits hold (control groups v2)')
  const fix = info?.host.cgroupVersion === 'v2'
    ? 'Let systemd delegate cpu, memory and pids to your account (Delegate= in user@.service).'
    : 'Start the host with control groups v2 (kernel argument systemd.unified_cgroup_hierarchy=1).'
  return warn('Limits', note, fix)
}
