import { describe, expect, it } from 'vitest'
import { parseRegion, pngSize, type ShotView, toDesktop } from './desktop-shot.ts'

describe('a region', () => {
  it('is read as X geometries are written', () => {
    expect(parseRegion('640x480+10+20')).toEqual({ width: 640, height: 480, x: 10, y: 20 })
  })
  it.each(['', '640x480', '0x1+0+0', '1x1+-1+0', '640x480+10+20 ', '99999x1+0+0', 'axb+c+d'])('is not: %j', (text) => {
    expect(parseRegion(text)).toBeNull()
  })
})

describe('a PNG', () => {
  const png = (width: number, height: number) => {
    const bytes = new Uint8Array(33)
    bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
    new DataView(bytes.buffer).setUint32(16, width)
    new DataView(bytes.buffer).setUint32(20, height)
    return bytes
  }
  it('tells its size', () => {
    expect(pngSize(png(1280, 800))).toEqual({ width: 1280, height: 800 })
  })
  it('is none without its signature, its header or enough bytes', () => {
    const other = png(1, 1)
    other[0] = 0
    expect(pngSize(other)).toBeNull()
    expect(pngSize(png(1, 1).subarray(0, 20))).toBeNull()
    expect(pngSize(new TextEncoder().encode('Traceback (most recent call last):'))).toBeNull()
  })
})

describe('a place in a picture', () => {
  const half: ShotView = { screen: { width: 2000, height: 1000 }, region: { x: 100, y: 50, width: 1000, height: 500 }, width: 500, height: 250, scale: 2 }
  it('is the middle of the pixels that it stands for', () => {
    expect(toDesktop(half, 0, 0)).toEqual({ x: 101, y: 51 })
    expect(toDesktop(half, 499, 249)).toEqual({ x: 1099, y: 549 })
    expect(toDesktop({ ...half, width: 1000, height: 500, scale: 1 }, 7, 8)).toEqual({ x: 107, y: 58 })
  })
  it.each([[-1, 0], [0, -1], [500, 0], [0, 250]])('is none outside: %d, %d', (x, y) => {
    expect(toDesktop(half, x, y)).toBeNull()
  })
})
