import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withLock } from './lock.mjs'

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paddock-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

// The lock is the kernel's of Linux, where the set-up runs; elsewhere there is nothing to test.
const hasFlock = spawnSync('flock', ['--version']).status === 0

describe.runIf(hasFlock)('a lock', () => {
  it('lets one in at a time, and the next one after a failure', async () => {
    const events = []
    const work = (name, fails) =>
      withLock(join(folder, 'inner/lock'), 'working', async () => {
        events.push(`${name} in`)
        await new Promise((resolve) => setTimeout(resolve, 50))
        events.push(`${name} out`)
        if (fails) throw new Error('broke')
      })
    const results = await Promise.allSettled([work('a', true), work('b', false)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(events).toEqual(['a in', 'a out', 'b in', 'b out'])
  })
})
