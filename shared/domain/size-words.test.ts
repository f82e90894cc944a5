import { expect, it } from 'vitest'
import { exactSize, readSize, tmpfsSize } from './size-words.ts'

it.each([
  ['4 GiB', 4 * 1024 ** 3],
  ['4g', 4 * 1024 ** 3],
  ['1.5 GB', 1.5 * 1024 ** 3],
  ['512m', 512 * 1024 ** 2],
  ['2048', 2048],
  [' 64 KiB ', 64 * 1024],
  ['4096 b', 4096],
  ['0', null],
  ['', null],
  ['-1 GiB', null],
  ['4 TiB', null],
  ['four', null],
])('%j is read as %s bytes', (text, bytes) => {
  expect(readSize(text)).toBe(bytes)
})

it('a bare number can mean MiB, as krun counts memory', () => {
  expect(readSize('4096', 'm')).toBe(4 * 1024 ** 3)
  expect(readSize('4096 b', 'm')).toBe(4096)
})

it.each([
  [4 * 1024 ** 3, '4 GiB', '4g'],
  [1536 * 1024 ** 2, '1536 MiB', '1536m'],
  [1024, '1 KiB', '1k'],
  [1000, '1000 bytes', '1000'],
])('%d bytes are shown exactly, and read back as the same', (bytes, words, option) => {
  expect(exactSize(bytes)).toBe(words)
  expect(tmpfsSize(bytes)).toBe(option)
  expect(readSize(words)).toBe(bytes)
  expect(readSize(option)).toBe(bytes)
})
