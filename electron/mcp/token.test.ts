import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createToken, tokenFromFile } from './token.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paddock-token-'))
  file = join(folder, 'token')
})
afterEach(() => rmSync(folder, { recursive: true }))

it('makes a file for its owner alone, and finds the same token in it again', async () => {
  const token = await tokenFromFile(file)
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toBe(`${token}\n`)
  expect(await tokenFromFile(file)).toBe(token)
})

it('makes another one each time', () => {
  expect(createToken()).not.toBe(createToken())
})

it.each([0o640, 0o604, 0o660, 0o666])('refuses a file with mode %o', async (mode) => {
  writeFileSync(file, createToken())
  chmodSync(file, mode)
  await expect(tokenFromFile(file)).rejects.toThrow(/others may read/)
})

it('refuses a link, a folder, and what is no token', async () => {
  writeFileSync(file, 'short', { mode: 0o600 })
  await expect(tokenFromFile(file)).rejects.toThrow(/no token/)
  symlinkSync(file, join(folder, 'link'))
  await expect(tokenFromFile(join(folder, 'link'))).rejects.toThrow(/link/)
  await expect(tokenFromFile(folder)).rejects.toThrow(/no regular file/)
  await expect(tokenFromFile(join(folder, 'none', 'token'))).rejects.toThrow(/ENOENT/)
})
