import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mirrorCheckout, mirrorFolder } from './mirror.mjs'

let folder, checkout, mirror
const write = (path, text = path) => {
  mkdirSync(join(checkout, path, '..'), { recursive: true })
  writeFileSync(join(checkout, path), text)
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paddock-mirror-'))
  checkout = join(folder, 'checkout')
  mirror = join(folder, 'cache/mirror')
  mkdirSync(checkout)
})
afterEach(() => rmSync(folder, { recursive: true }))

it('copies files, modes and links, and then has nothing left to do', () => {
  write('a/run')
  chmodSync(join(checkout, 'a/run'), 0o755)
  symlinkSync('a/run', join(checkout, 'link'))
  mirrorCheckout(checkout, mirror)
  expect(readFileSync(join(mirror, 'a/run'), 'utf8')).toBe('a/run')
  expect(statSync(join(mirror, 'a/run')).mode & 0o777).toBe(0o755)
  expect(readlinkSync(join(mirror, 'link'))).toBe('a/run')
  expect(mirrorCheckout(checkout, mirror)).toEqual({ copied: 0, removed: 0 })
})

it('copies only what changed and removes what vanished', () => {
  write('kept')
  write('edited')
  write('gone/file')
  mirrorCheckout(checkout, mirror)
  write('edited', 'other text')
  rmSync(join(checkout, 'gone'), { recursive: true })
  expect(mirrorCheckout(checkout, mirror)).toEqual({ copied: 1, removed: 2 })
  expect(readFileSync(join(mirror, 'edited'), 'utf8')).toBe('other text')
  expect(existsSync(join(mirror, 'gone'))).toBe(false)
})

it('leaves out what each copy makes for itself, but only at the top', () => {
  for (const path of ['.git/x', 'node_modules/x', 'dist/x', 'inner/dist/x']) write(path)
  mkdirSync(join(mirror, 'node_modules'), { recursive: true })
  mirrorCheckout(checkout, mirror)
  expect(['.git', 'dist'].some((name) => existsSync(join(mirror, name)))).toBe(false)
  expect(existsSync(join(mirror, 'node_modules'))).toBe(true)
  expect(existsSync(join(mirror, 'inner/dist/x'))).toBe(true)
})

it('turns a file into a folder and a folder into a link', () => {
  write('a')
  write('b/c')
  mirrorCheckout(checkout, mirror)
  rmSync(join(checkout, 'a'))
  rmSync(join(checkout, 'b'), { recursive: true })
  write('a/inner')
  symlinkSync('a', join(checkout, 'b'))
  mirrorCheckout(checkout, mirror)
  expect(readFileSync(join(mirror, 'a/inner'), 'utf8')).toBe('a/inner')
  expect(lstatSync(join(mirror, 'b')).isSymbolicLink()).toBe(true)
})

it('never writes through a link that lies in the mirror', () => {
  const outside = join(folder, 'outside')
  writeFileSync(outside, 'mine')
  write('a', 'new')
  mkdirSync(mirror, { recursive: true })
  symlinkSync(outside, join(mirror, 'a'))
  mirrorCheckout(checkout, mirror)
  expect(readFileSync(outside, 'utf8')).toBe('mine')
  expect(readFileSync(join(mirror, 'a'), 'utf8')).toBe('new')
})

it('sets a copy aside that holds what its owner cannot remove, and makes a new one', () => {
  write('kept')
  mirrorCheckout(checkout, mirror)
  mkdirSync(join(mirror, 'left'))
  let calls = 0
  const asOwner = (action) => {
    // The second one removes, and finds what belongs to another account.
    if (++calls === 2) throw Object.assign(new Error('denied'), { code: 'EACCES' })
    return action()
  }
  expect(mirrorCheckout(checkout, mirror, asOwner)).toEqual({ copied: 1, removed: 0 })
  expect(readdirSync(mirror)).toEqual(['kept'])
  expect(readdirSync(join(mirror, '..')).filter((name) => name.includes('set-aside'))).toHaveLength(1)
})

it('gives each checkout its own folder', () => {
  expect(mirrorFolder('/home/p', '/a')).not.toBe(mirrorFolder('/home/p', '/b'))
  expect(mirrorFolder('/home/p', '/a')).toMatch(/^\/home\/p\/\.cache\/paddock\/source-[0-9a-f]{12}$/)
})
