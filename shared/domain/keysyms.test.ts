import { expect, it } from 'vitest'
import { keysymsOf } from './keysyms.ts'

it('gives Latin letters their own code and all others the one of Unicode', () => {
  expect(keysymsOf('aß@')).toEqual([0x61, 0xdf, 0x40])
  expect(keysymsOf('€日😀')).toEqual([0x010020ac, 0x010065e5, 0x0101f600])
})

it('presses Enter for each line end, and leaves other controls out', () => {
  expect(keysymsOf('a\r\nb\n\t\u001b[31m\u009b')).toEqual([0x61, 0xff0d, 0x62, 0xff0d, 0xff09, 0x5b, 0x33, 0x31, 0x6d])
})
