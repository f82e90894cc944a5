import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLaunchRecord, isVerifiedMicrovm, type LaunchRecord, launchRecord, readReportedBootId, removeLaunchRecord, removeLeftOverRecords } from './launch-record.ts'

const id = '11111111-2222-4333-8444-555555555555'
const bootId = '0c3b5e9a-1111-4222-8333-444455556666'
let root: string
let launches: string
let record: LaunchRecord
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'record-test-'))
  launches = join(root, 'launches')
  record = launchRecord(launches, id)!
  await createLaunchRecord(record, null)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('launchRecord', () => {
  it.each(['', '.', '..', '../..', '/etc', `../${id}`, `${id}/..`, `${id}\n`, `${id} `, id.toUpperCase().replace('1', 'A'), 'x'.repeat(36), `${id}${id}`])('is none for %j, which a container’s label may say', (given) => {
    expect(launchRecord(launches, given)).toBeNull()
  })

  it('lies in a folder for this account only, made once', async () => {
    expect(statSync(record.folder).mode & 0o777).toBe(0o700)
    expect(readdirSync(record.folder)).toEqual(['boot-id', 'keys'])
    expect(statSync(record.bootIdFile).size).toBe(0)
    await expect(createLaunchRecord(record, null)).rejects.toMatchObject({ code: 'EEXIST' })
  })

  it('can be removed twice', async () => {
    await removeLaunchRecord(record)
    await removeLaunchRecord(record)
    expect(existsSync(record.folder)).toBe(false)
  })
})

describe('readReportedBootId', () => {
  it('is null before a report, and without a file', async () => {
    expect(readReportedBootId(record)).toBeNull()
    await removeLaunchRecord(record)
    expect(readReportedBootId(record)).toBeNull()
  })

  it('reads the report', async () => {
    writeFileSync(record.bootIdFile, `${bootId}\n`)
    expect(readReportedBootId(record)).toBe(`${bootId}\n`)
  })

  it('reads no more than a boot id of a huge file', async () => {
    truncateSync(record.bootIdFile, 2 ** 33)
    expect(readReportedBootId(record)).toBe('\0'.repeat(37))
  })

  it('follows no link', async () => {
    writeFileSync(join(root, 'secret'), `${bootId}\n`)
    rmSync(record.bootIdFile)
    symlinkSync(join(root, 'secret'), record.bootIdFile)
    expect(readReportedBootId(record)).toBeNull()
  })
})

describe('isVerifiedMicrovm', () => {
  const verify = (container: string) => {
    writeFileSync(record.verifiedFile, '')
    writeFileSync(record.cidFile, container)
  }

  it('is true only for the very container that the launcher saw', async () => {
    expect(await isVerifiedMicrovm(record, 'abc')).toBe(false)
    verify('abc\n')
    expect(await isVerifiedMicrovm(record, 'abc')).toBe(true)
    expect(await isVerifiedMicrovm(record, 'borrowed')).toBe(false)
    expect(await isVerifiedMicrovm(record, '')).toBe(false)
  })

  it('is false without a verdict', async () => {
    writeFileSync(record.cidFile, 'abc')
    expect(await isVerifiedMicrovm(record, 'abc')).toBe(false)
  })
})

describe('removeLeftOverRecords', () => {
  it('removes old records whose sandbox is gone, and nothing else', async () => {
    const other = '22222222-2222-4333-8444-555555555555'
    const young = '33333333-2222-4333-8444-555555555555'
    for (const name of [other, young, 'not-a-record']) mkdirSync(join(launches, name))
    const old = Date.now() / 1000 - 120
    for (const name of [id, other, 'not-a-record']) utimesSync(join(launches, name), old, old)
    await removeLeftOverRecords(launches, new Set([other]))
    expect(readdirSync(launches).sort()).toEqual([other, young, 'not-a-record'].sort())
  })

  it('has nothing to do where no launch was', async () => {
    await removeLeftOverRecords(join(root, 'absent'), new Set())
    expect(existsSync(join(root, 'absent'))).toBe(false)
  })
})
