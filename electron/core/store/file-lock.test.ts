import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withFileLock } from './file-lock.ts'

let folder: string
let lockFile: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paddock-lock-'))
  lockFile = join(folder, 'new/some.lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('lets one change a file at a time', async () => {
  const file = join(folder, 'count')
  writeFileSync(file, '0')
  const addOne = () =>
    withFileLock(lockFile, async () => {
      const before = Number(readFileSync(file, 'utf8'))
      await sleep(2)
      writeFileSync(file, String(before + 1))
    })
  await Promise.all(Array.from({ length: 20 }, addOne))
  expect(readFileSync(file, 'utf8')).toBe('20')
})

it('is free again when the work fails', async () => {
  await expect(withFileLock(lockFile, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await withFileLock(lockFile, async () => 'next')).toBe('next')
})

it('is taken over from a holder that was killed', async () => {
  mkdirSync(lockFile, { recursive: true })
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(lockFile, longAgo, longAgo)
  expect(await withFileLock(lockFile, async () => 'taken over')).toBe('taken over')
})
