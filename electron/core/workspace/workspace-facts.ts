import type { OpenGuest } from './guest-place.ts'
import { workspaceFolder } from './guest-place.ts'

/** What a sandbox says of its capacity; null for what it does not tell. */
export interface WorkspaceFacts {
  diskTotalBytes: number | null
  diskFreeBytes: number | null
  memoryTotalBytes: number | null
  memoryAvailableBytes: number | null
  /** The limit of its control group, as it sees it. */
  memoryLimitBytes: number | null
  cpus: number | null
}

const script = `df -Pk . | tail -n 1
echo --; cat /proc/meminfo
echo --; cat /sys/fs/cgroup/memory.max 2>/dev/null || cat /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null
echo --; nproc`

/** Asks a sandbox for its capacity. What it says is hostile and only read as numbers. @throws {PaddockError} `channel-lost`, `channel-unavailable` */
export async function askWorkspaceFacts(open: OpenGuest, signal?: AbortSignal): Promise<WorkspaceFacts> {
  const channel = await open(signal)
  const { stdout } = await channel.run(['sh', '-c', script], { cwd: workspaceFolder, maxOutput: 20_000, timeoutMs: 10_000, ...(signal && { signal }) })
  return parseWorkspaceFacts(stdout.toString())
}

/** Reads what the script printed. Pure. */
export function parseWorkspaceFacts(text: string): WorkspaceFacts {
  const [df = '', meminfo = '', limit = '', nproc = ''] = text.split(/^--$/m)
  // From the right: what is mounted may have a name with spaces. Source: POSIX, df -P.
  const [, total, free] = /\s(\d+)\s+\d+\s+(\d+)\s+\d+%\s/.exec(df) ?? []
  const kib = (name: string) => bytesOf(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(meminfo)?.[1], 1_024)
  const memoryLimit = bytesOf(/\d+/.exec(limit)?.[0], 1)
  const cpus = bytesOf(/\d+/.exec(nproc)?.[0], 1)
  return {
    diskTotalBytes: bytesOf(total, 1_024),
    diskFreeBytes: bytesOf(free, 1_024),
    memoryTotalBytes: kib('MemTotal'),
    memoryAvailableBytes: kib('MemAvailable'),
    // Control groups v1 say "no limit" with a number near 2^63.
    memoryLimitBytes: memoryLimit !== null && memoryLimit < 2 ** 52 ? memoryLimit : null,
    cpus,
  }
}

function bytesOf(digits: string | undefined, unit: number): number | null {
  const value = digits === undefined ? Number.NaN : Number(digits) * unit
  return Number.isFinite(value) ? value : null
}
