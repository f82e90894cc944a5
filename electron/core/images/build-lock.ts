import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallContext } from '../../../shared/contract/contract.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'

const askAgainMs = 500
const renewMs = 1_000

/**
 * Lets one Paddock build at a time, so that two started at once do not do the same long work twice; the second waits and
 * says so. A lock whose holder was killed is taken over within seconds. So is that of one that was only stopped (Ctrl-Z, a
 * machine asleep): it goes on when it wakes, since two builds at once are slow and nothing worse.
 */
export async function withBuildLock<T>(folder: string, { signal, onProgress }: CallContext, work: () => Promise<T>): Promise<T> {
  const { lock } = await import('proper-lockfile')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  let isLost = false
  const onCompromised = () => {
    isLost = true
  }
  const options = { lockfilePath: join(folder, 'build.lock'), update: renewMs, onCompromised }
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
    // The lock is another's by now.
    if (!isLost) await release()
  }
}
