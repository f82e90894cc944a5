import { expect, it } from 'vitest'
import { readShot } from './screenshot.ts'

function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(33)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
const sent = (head: unknown, picture = png(640, 400)) => Buffer.concat([Buffer.from(`${typeof head === 'string' ? head : JSON.stringify(head)}\n`), picture])
const head = { screen: [1280, 800], region: [0, 0, 1280, 800] }

it('is what the sandbox says, with the scale between it and the desktop', () => {
  expect(readShot(sent(head))).toMatchObject({ screen: { width: 1280, height: 800 }, width: 640, height: 400, scale: 2 })
})

it.each([
  ['no JSON', 'hello'],
  ['a desktop that cannot be drawn', { screen: [100_000, 100_000], region: [0, 0, 10, 10] }],
  ['a region outside', { screen: [1280, 800], region: [1000, 0, 1280, 800] }],
  ['a region before the beginning', { screen: [1280, 800], region: [-5, 0, 1280, 800] }],
  ['a picture larger than what it shows', { screen: [1280, 800], region: [0, 0, 320, 200] }],
  ['other types', { screen: ['1280', 800], region: null }],
])('is refused with %s', (_what, said) => {
  expect(() => readShot(sent(said))).toThrow('no picture of its desktop')
})

it('is refused without a PNG, and without anything', () => {
  expect(() => readShot(sent(head, Buffer.from('Traceback')))).toThrow('no picture')
  expect(() => readShot(Buffer.alloc(0))).toThrow('no picture')
  expect(() => readShot(Buffer.alloc(5_000_000, 'x'))).toThrow('no picture')
})
