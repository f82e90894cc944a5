import { readFileSync } from 'node:fs'
import type { Caps } from '../../../shared/domain/caps.ts'

/** A cap that needs control groups to hold. */
export type EnforceableCap = Exclude<keyof Caps, 'tmpSize'>

const controllerOf: Record<EnforceableCap, string> = { ramMib: 'memory', cpus: 'cpu', pids: 'pids' }

/**
 * Caps that this host cannot enforce for this account's containers. With control groups v2 a rootless Podman has the
 * controllers that systemd delegated; with v1 it has none. Source: podman-run(1), `--memory`, `--cpus`, `--pids-limit`.
 */
export function unenforcedCaps(uid = process.getuid?.() ?? 0): EnforceableCap[] {
  const available = delegatedControllers(uid)
  return (Object.keys(controllerOf) as EnforceableCap[]).filter((cap) => !available.has(controllerOf[cap]))
}

function delegatedControllers(uid: number): Set<string> {
  const root = '/sys/fs/cgroup'
  const delegated = uid === 0 ? root : `${root}/user.slice/user-${uid}.slice/user@${uid}.service`
  try {
    return new Set(readFileSync(`${delegated}/cgroup.controllers`, 'utf8').split(/\s+/).filter(Boolean))
  } catch {
    return new Set()
  }
}

/** One sentence for a person, or null when every cap holds. A microVM's memory and CPUs are held by its VMM. */
export function unenforcedNote(unenforced: readonly EnforceableCap[], isMicrovm: boolean): string | null {
  const names: Record<EnforceableCap, string> = { ramMib: 'memory', cpus: 'CPU', pids: 'process' }
  const open = unenforced.filter((cap) => !isMicrovm || cap === 'pids')
  if (open.length === 0) return null
  return `This host cannot enforce the ${open.map((cap) => names[cap]).join(', ')} limit for rootless containers (control groups are v1 or not delegated).`
}
