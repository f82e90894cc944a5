import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallContext } from '../../../shared/contract/contract.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'

const askAgainMs = 500

/**
 * Lets one Paddock build at a time, so that two started at once do not do the same long work twice; the second waits and
 * says so. A lock whose holder was killed is taken over within seconds.
 */
export async function withBuildLock<T>(folder: string, { signal, onProgress }: CallContext, work: () => Promise<T>): Promise<T> {
  const { lock } = await import('proper-lockfile')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const options = { lockfilePath: join(folder, 'build.lock') }
  let release: (() => Promise<void>) | null = null
  let isWaiting = false
  while (release === null) {
    try {
      release = await lock(folder, options)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error
      if (!isWaiting) onProgress({ kind: 'step', text: 'Waiting for another Paddock that is building' })
      isWaiting = true
      await sleep(askAgainMs, undefined, { signal }).catch(() => {
        throw new PaddockError({ code: 'cancelled', message: 'Cancelled while another Paddock was building.' })
      })
    }
  }
  try {
    return await work()
  } finally {
    await release()
  }
}
