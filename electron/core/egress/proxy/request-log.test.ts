import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { EgressRequest } from '../../../../shared/domain/egress-request.ts'
import { logFileOf, proxyPlace, type ProxyPlace } from './proxy-place.ts'
import { createLogReader, tidyLogs } from './request-log.ts'

const launchId = '11111111-2222-4333-8444-555555555555'

let folder: string
let place: ProxyPlace
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paddock-log-'))
  place = proxyPlace(folder)
  file = logFileOf(place, launchId)
  mkdirSync(place.logFolder)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(n: number, path = file) {
  const line: EgressRequest = { n, key: String(n), at: new Date().toISOString(), host: 'asked.example', port: 443, method: 'CONNECT', path: null, sent: 0, received: 0, allowed: false, rule: null, reason: 'not-listed', agent: null }
  appendFileSync(path, `${JSON.stringify(line)}\n`)
}

it('gives the lines of both files, the oldest first', async () => {
  write(1, `${file}.1`)
  write(2)
  expect((await createLogReader(place)(launchId)).map(({ n }) => n)).toEqual([1, 2])
})

it('reads a log that is written without end four times a second at the most, and then all of it', async () => {
  const read = createLogReader(place)
  const begun = performance.now()
  for (let n = 1; n <= 3; n++) {
    write(n)
    expect(await read(launchId)).toHaveLength(n)
  }
  // A timer may ring a little early.
  expect(performance.now() - begun).toBeGreaterThan(2 * 250 - 10)
})

it('goes on where it was when a file is renamed, begins anew, or has half a line', async () => {
  const read = createLogReader(place)
  const numbers = async () => (await read(launchId)).map(({ n }) => n)
  write(1)
  write(2)
  appendFileSync(file, '{"n":3')
  expect(await numbers()).toEqual([1, 2])
  renameSync(file, `${file}.1`)
  write(4)
  expect(await numbers()).toEqual([1, 2, 4])
  writeFileSync(`${file}.1`, '')
  write(3, `${file}.1`)
  write(5)
  expect(await numbers()).toEqual([3, 4, 5])
})

it('is held up by nothing that a proxy which was taken over could leave there', async () => {
  const read = createLogReader(place)
  write(1, join(folder, 'elsewhere'))
  symlinkSync(join(folder, 'elsewhere'), file)
  execFileSync('mkfifo', [`${file}.1`])
  expect(await read(launchId)).toEqual([])
  rmSync(file)
  write(2)
  appendFileSync(file, ' '.repeat(3 * 1024 * 1024))
  write(3)
  expect((await read(launchId)).map(({ n }) => n)).toEqual([2])
})

it('is tidied up after a month, whatever it has become', async () => {
  mkdirSync(place.historyFolder)
  const old = new Date(Date.now() - 31 * 24 * 3_600_000)
  const other = join(place.logFolder, 'folder')
  mkdirSync(other)
  writeFileSync(join(other, 'file'), '')
  write(1)
  for (const path of [other, file]) utimesSync(path, old, old)
  write(1, `${file}.1`)
  await tidyLogs(place)
  expect([other, file, `${file}.1`].map(existsSync)).toEqual([false, false, true])
})
