const sizes: readonly string[] = ['--memory', '-m', '--memory-reservation', '--memory-swap', '--shm-size', '--kernel-memory']
const unlimited: readonly string[] = ['--memory-swap']
const counts: Readonly<Record<string, number>> = { '--cpus': 255, '--cpu-shares': 262_144, '--memory-swappiness': 100 }

/**
 * What is wrong with the value of an option of `podman run` that limits something, as the end of a sentence; null when
 * nothing is, and for all other options; 0 is no limit, as Podman has it. A value with a variable is only known at the launch. Pure. Source: podman-run(1).
 */
export function limitProblem(flag: string, value: string | null): string | null {
  if (value === null || value.includes('$')) return null
  if (sizes.includes(flag)) return /^\d{1,15}[bkmgt]?$/i.test(value) || (unlimited.includes(flag) && value === '-1') ? null : `"${value}" is no size for ${flag}; write a number with k, m or g behind it, as in 512m`
  const most = counts[flag]
  if (most === undefined) return null
  return /^\d+(\.\d+)?$/.test(value) && Number(value) <= most ? null : `"${value}" is no value for ${flag}; write a number up to ${most}`
}
