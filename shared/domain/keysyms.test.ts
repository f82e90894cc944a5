import { expect, it } from 'vitest'
import { keysymsOf, typingParts } from './keysyms.ts'

it('gives Latin letters their own code and all others the one of Unicode', () => {
  expect(keysymsOf('aß@')).toEqual([0x61, 0xdf, 0x40])
  expect(keysymsOf('€日😀')).toEqual([0x010020ac, 0x010065e5, 0x0101f600])
})

it('presses Enter for each line end, and leaves other controls out', () => {
  expect(keysymsOf('a\r\nb\n\t\u001b[31m\u009b')).toEqual([0x61, 0xff0d, 0x62, 0xff0d, 0xff09, 0x5b, 0x33, 0x31, 0x6d])
})

it('divides a text where it has more letters than there are spare keys for what the keyboard has not', () => {
  expect(typingParts(keysymsOf('a日b日本\ncü'), 2)).toEqual([
    { keysyms: [0x61, 0x010065e5, 0x62, 0x010065e5, 0x0100672c, 0xff0d, 0x63], letters: [0x010065e5, 0x0100672c] },
    { keysyms: [0xfc], letters: [0xfc] },
  ])
  expect(typingParts(keysymsOf('plain\n'), 0)).toEqual([{ keysyms: [0x70, 0x6c, 0x61, 0x69, 0x6e, 0xff0d], letters: [] }])
  expect(typingParts(keysymsOf('日本'), 0).map(({ letters }) => letters.length)).toEqual([1, 1])
  expect(typingParts([], 5)).toEqual([])
})
