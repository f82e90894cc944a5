import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A lock whose holder was killed is taken over after this; the others wait longer. */
const staleMs = 5_000
const retries = { retries: 200, factor: 1.2, minTimeout: 5, maxTimeout: 100 }

/** Does something that only one Paddock may do at a time, and waits for the others. For work of moments. */
export async function withFileLock<T>(lockFile: string, work: () => Promise<T>): Promise<T> {
  const { lock } = await import('proper-lockfile')
  await mkdir(dirname(lockFile), { recursive: true, mode: 0o700 })
  // One that slept for longer goes on: what it holds is written whole by a rename in any case.
  const release = await lock(lockFile, { lockfilePath: lockFile, realpath: false, stale: staleMs, update: staleMs / 2, retries, onCompromised: () => {} })
  try {
    return await work()
  } finally {
    await release().catch(() => {})
  }
}
