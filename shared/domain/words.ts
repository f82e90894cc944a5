import type { Caps } from './caps.ts'
import type { ProfileStatus } from './profile.ts'

/** A cap as people read it: `8 GiB · 4 vCPU · /tmp 2 GiB · 1024 processes`. Pure. */
export function capsInWords({ ramMib, cpus, tmpSize, pids }: Caps): string {
  const parts = [
    ramMib === null ? null : sizeInWords(ramMib * 1024 ** 2),
    cpus === null ? null : `${cpus} vCPU`,
    tmpSize === null ? null : `/tmp ${spelledSize(tmpSize)}`,
    pids === null ? null : `${pids} processes`,
  ]
  return parts.filter((part) => part !== null).join(' · ')
}

const unitBytes: Record<string, number> = { '': 1, b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

function spelledSize(size: string): string {
  const match = /^(\d+)([bkmg]?)$/i.exec(size)
  return match ? sizeInWords(Number(match[1]) * unitBytes[match[2]!.toLowerCase()]!) : size
}

/** Bytes in the largest binary unit that leaves no more than one decimal. Pure. */
export function sizeInWords(bytes: number): string {
  const [unit, name] = bytes >= 1024 ** 3 ? ([1024 ** 3, 'GiB'] as const) : ([1024 ** 2, 'MiB'] as const)
  const value = bytes / unit
  return `${value >= 10 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)} ${name}`
}

/** A duration as a clock that needs no second hand for long: `42 s`, `14 min`, `2 h 14 min`. Pure. */
export function durationInWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A profile's state in one word; what cannot be used is broken, whatever its image. Pure. */
export function profileStateInWords({ error, state }: Pick<ProfileStatus, 'error' | 'state'>): 'broken' | ProfileStatus['state'] {
  return error !== null ? 'broken' : state
}

/** All that a person should know of a profile, a sentence each: for what sees no colours and no shapes. Pure. */
export function profileInWords(profile: ProfileStatus): string[] {
  const { error, reasons, caps, source, findings } = profile
  const counted = findings.length === 0 ? null : `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`
  const all = [profileStateInWords(profile), error, ...(error === null ? reasons : []), capsInWords(caps), counted, source === 'user' ? 'Your own' : null]
  return all.filter((part): part is string => part !== null && part !== '')
}
