import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CallContext } from '../../../shared/contract/contract.ts'
import { withBuildLock } from './build-lock.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'lock-test-')), 'state')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))
const context = (said: string[] = [], signal = new AbortController().signal): CallContext => ({ signal, onProgress: ({ text }) => said.push(text) })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('withBuildLock', () => {
  it('lets one work at a time; the other waits and says so', async () => {
    const order: string[] = []
    const said: [string[], string[]] = [[], []]
    const first = withBuildLock(folder, context(said[0]), async () => {
      order.push('first begins')
      await pause(300)
      order.push('first ends')
      return 1
    })
    await pause(50)
    const second = withBuildLock(folder, context(said[1]), async () => order.push('second'))
    expect(await first).toBe(1)
    await second
    expect(order).toEqual(['first begins', 'first ends', 'second'])
    expect(said).toEqual([[], ['Waiting for another Paddock that is building']])
  })

  it('is free again after a failure', async () => {
    await expect(withBuildLock(folder, context(), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(existsSync(join(folder, 'build.lock'))).toBe(false)
    expect(await withBuildLock(folder, context(), async () => 'done')).toBe('done')
  })

  it('takes over from a holder that was killed', async () => {
    mkdirSync(join(folder, 'build.lock'), { recursive: true })
    const long = Date.now() / 1000 - 60
    utimesSync(join(folder, 'build.lock'), long, long)
    expect(await withBuildLock(folder, context(), async () => 'done')).toBe('done')
  })

  it('waits no longer at Ctrl-C, and leaves the other’s lock alone', async () => {
    mkdirSync(join(folder, 'build.lock'), { recursive: true })
    const waiting = withBuildLock(folder, context([], AbortSignal.timeout(100)), async () => 'done')
    await expect(waiting).rejects.toMatchObject({ report: { code: 'cancelled' } })
    expect(existsSync(join(folder, 'build.lock'))).toBe(true)
  })
})
