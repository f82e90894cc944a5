import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ReportWatch, watchReport } from './report-watch.ts'

let folder: string
let file: string
let over: AbortController
let watching: ReportWatch
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'report-watch-'))
  file = join(folder, 'boot-id')
  writeFileSync(file, '')
  over = new AbortController()
})
afterEach(() => {
  over.abort()
  watching.close()
  rmSync(folder, { recursive: true })
})

/** Looks until the end. */
function look(denseMs: number, path = file) {
  watching = watchReport(path, denseMs)
  const looks: number[] = []
  const loop = async () => {
    while (!over.signal.aborted) {
      await watching.next(over.signal)
      looks.push(performance.now())
    }
  }
  return { looks, ended: loop() }
}

test('looks often at first and seldom after a while', async () => {
  const { looks } = look(500)
  await sleep(450)
  expect(looks.length).toBeGreaterThan(8)
  await sleep(150)
  looks.length = 0
  await sleep(1_500)
  expect(looks.length).toBeGreaterThanOrEqual(1)
  expect(looks.length).toBeLessThanOrEqual(5)
})

test('looks at once when something is written late, each time', async () => {
  const { looks } = look(0)
  for (let round = 0; round < 3; round++) {
    await sleep(100 + round)
    looks.length = 0
    appendFileSync(file, 'x')
    await sleep(200)
    expect(looks.length).toBeGreaterThanOrEqual(1)
  }
})

test('looks no more often than at first, however much is written', async () => {
  const { looks } = look(0)
  const end = performance.now() + 500
  for (; performance.now() < end; await sleep(1)) appendFileSync(file, 'x')
  expect(looks.length).toBeGreaterThan(5)
  expect(looks.length).toBeLessThanOrEqual(27)
})

test('ends at once with its signal', async () => {
  const { ended } = look(0)
  await sleep(150)
  const began = performance.now()
  over.abort()
  await ended
  expect(performance.now() - began).toBeLessThan(200)
})

test('looks often all the time where a file cannot be watched', async () => {
  const { looks } = look(0, join(folder, 'no-such-file'))
  await sleep(600)
  expect(looks.length).toBeGreaterThan(10)
})
