import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { saveFile } from './save-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'save-file-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const bytes = Buffer.from('new')
const at = (name: string) => join(folder, name)

it('writes a file for its owner alone, in the place of an older one, and leaves no other', async () => {
  writeFileSync(at('shot'), 'old', { mode: 0o644 })
  await saveFile(at('shot'), bytes, [])
  expect([readFileSync(at('shot'), 'utf8'), statSync(at('shot')).mode & 0o777, readdirSync(folder)]).toEqual(['new', 0o600, ['shot']])
})

it('follows a link of the person, and none where a sandbox can write', async () => {
  writeFileSync(at('target'), 'old')
  symlinkSync('target', at('link'))
  await saveFile(at('link'), bytes, [])
  expect(readFileSync(at('target'), 'utf8')).toBe('new')
  mkdirSync(at('project'))
  symlinkSync('../target', at('project/trap'))
  await expect(saveFile(at('project/trap'), Buffer.from('planted'), [at('project')])).rejects.toMatchObject({ report: { code: 'copy-failed', message: expect.stringContaining('is a link') } })
  expect(readFileSync(at('target'), 'utf8')).toBe('new')
})

it('says what is in the way, and leaves nothing', async () => {
  mkdirSync(at('taken'))
  await expect(saveFile(at('taken'), bytes, [])).rejects.toMatchObject({ report: { message: `${at('taken')} cannot be written: it is a folder.` } })
  await expect(saveFile(at('none/shot'), bytes, [])).rejects.toMatchObject({ report: { message: expect.stringContaining('does not exist') } })
  expect(readdirSync(folder)).toEqual(['taken'])
})

it('writes to what is no file, and leaves it there', async () => {
  await saveFile('/dev/null', bytes, [])
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
})
