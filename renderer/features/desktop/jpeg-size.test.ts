import { expect, it } from 'vitest'
import { jpegSize } from './jpeg-size.ts'

const frame = (marker: number, width: number, height: number) => [0xff, marker, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0]
const tables = [0xff, 0xdb, 0, 5, 1, 2, 3]
const file = (...parts: number[][]) => Uint8Array.from([0xff, 0xd8, ...parts.flat(), 0xff, 0xd9])

it('tells what a JPEG measures, whichever kind of frame it has', () => {
  expect(jpegSize(file(tables, frame(0xc0, 640, 480)))).toEqual({ width: 640, height: 480 })
  expect(jpegSize(file(frame(0xc2, 65_535, 1)))).toEqual({ width: 65_535, height: 1 })
})

it.each([[[]], [[0xff, 0xd8]], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]]])('knows what is none: %j', (bytes) => {
  expect(jpegSize(Uint8Array.from(bytes))).toBeNull()
})

it('takes no other segment for a frame, and ends with one that has no length', () => {
  expect(jpegSize(file([0xff, 0xc4, 0, 5, 1, 2, 3], tables))).toBeNull()
  expect(jpegSize(file([0xff, 0xdb, 0, 0], frame(0xc0, 1, 1)))).toBeNull()
})
