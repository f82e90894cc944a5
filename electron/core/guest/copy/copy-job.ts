import { createHash } from 'node:crypto'
import { PaddockError } from '../../../../shared/errors/paddock-error.ts'
import type { CopyPace } from './transfer.ts'

/** What a copy did. */
export interface CopyReport {
  files: number
  bytes: number
  /** What was left out, and why. Names from a sandbox are hostile text. */
  leftOut: { path: string; why: string }[]
}

/** How far a copy is. */
export interface CopyProgress {
  files: number
  bytes: number
  /** The file that is being copied, and its size. */
  path: string
  size: number
}

export interface CopyOptions {
  signal: AbortSignal
  onProgress: (progress: CopyProgress) => void
  /** Removes what is not whole when the copy fails or is called off; absent keeps it for the next try to go on with. */
  dropsParts?: boolean
}

/** A copy under way, in either direction. */
export interface CopyJob extends CopyPace {
  report: CopyReport
  dropsParts: boolean
  leaveOut(path: string, why: string): void
  begin(path: string, size: number): void
  /** Does what may fail for one path alone, as for want of a permission: that path is then left out, and the rest goes on. */
  attempt(path: string, work: () => Promise<void>): Promise<void>
  /** Attempts something with each of many, a few at once. */
  each<T>(items: readonly T[], pathOf: (item: T) => string, work: (item: T) => Promise<void>): Promise<void>
}

/** As many as hide the way there and back of small files. */
const atOnce = 8
/** Deeper than any project; each level holds a folder open. */
export const maxDepth = 200
/** More than any project has; a guest could go on without end. */
const maxFiles = 2_000_000
const maxLeftOut = 1_000

export function createCopyJob({ signal, onProgress, dropsParts = false }: CopyOptions): CopyJob {
  const report: CopyReport = { files: 0, bytes: 0, leftOut: [] }
  let current = { path: '', size: 0 }
  const leaveOut = (path: string, why: string) => {
    if (report.leftOut.length < maxLeftOut) report.leftOut.push({ path, why })
  }
  const attempt = (path: string, work: () => Promise<void>) =>
    work().catch((error: Error & { code?: unknown }) => {
      const why = whyAlone(error)
      if (why === null) throw error
      leaveOut(path, why)
    })
  return {
    report,
    signal,
    dropsParts,
    onBytes(count) {
      report.bytes += count
      onProgress({ files: report.files, bytes: report.bytes, ...current })
    },
    leaveOut,
    attempt,
    begin(path, size) {
      if (++report.files > maxFiles) throw new PaddockError({ code: 'copy-failed', message: `There are more than ${maxFiles} files to copy.`, hint: 'Copy a smaller folder, or an archive of it.' })
      current = { path, size }
    },
    async each(items, pathOf, work) {
      const queue = items.values()
      const worker = async () => {
        for (const item of queue) {
          if (signal.aborted) throw new PaddockError({ code: 'cancelled', message: 'Cancelled. The same command goes on where this one stopped.' })
          await attempt(pathOf(item), () => work(item))
        }
      }
      const done = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, worker))
      for (const result of done) if (result.status === 'rejected') throw result.reason
    },
  }
}

/** Errors of this machine that say nothing about other paths. */
export const ownErrors = new Map<unknown, string>([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ENOENT', 'it is not there any more'],
  ['ENOTDIR', 'something else was put in its place'],
  ['ELOOP', 'a link was put in its place'],
])

/** Why one path cannot be copied; null for what would stop the others too. A number is the answer of the guest's server. */
function whyAlone(error: Error & { code?: unknown }): string | null {
  return typeof error.code === 'number' ? error.message : (ownErrors.get(error.code) ?? null)
}

/** The name of a file that is not whole yet: the same for the same version of the same file, so that a copy can go on. */
export function partName(...identity: (string | number)[]): string {
  return `.paddock-${createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 24)}.part`
}
