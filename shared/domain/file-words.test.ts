import { expect, it } from 'vitest'
import { copiedInWords, fileSizeInWords, timeInWords } from './file-words.ts'

it.each([[0, '0 B'], [1023, '1023 B'], [1024, '1 KiB'], [1536, '1.5 KiB'], [12_345, '12 KiB'], [3_565_158, '3.4 MiB'], [2 ** 31, '2 GiB']])('%d bytes are %s', (bytes, words) => {
  expect(fileSizeInWords(bytes)).toBe(words)
})

it('tells a time by what one has to know of it', () => {
  const now = new Date(2026, 10, 30, 15, 0)
  expect(timeInWords(new Date(2026, 10, 30, 9, 5), now)).toBe('09:05')
  expect(timeInWords(new Date(2026, 9, 30, 9, 5), now)).toBe('30 Oct')
  expect(timeInWords(new Date(2024, 1, 3), now)).toBe('3 Feb 2024')
})

it('counts what was copied', () => {
  expect(copiedInWords({ files: 1, bytes: 10 })).toBe('1 file, 10 B')
  expect(copiedInWords({ files: 2, bytes: 0 })).toBe('2 files, 0 B')
})
