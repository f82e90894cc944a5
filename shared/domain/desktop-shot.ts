/** A rectangle of a desktop, in its pixels. */
export interface Region {
  x: number
  y: number
  width: number
  height: number
}

/** What a picture shows of a desktop. */
export interface ShotView {
  screen: { width: number; height: number }
  region: Region
  /** Of the picture. */
  width: number
  height: number
  /** Pixels of the desktop in one of the picture; 1 when it is not made smaller. */
  scale: number
}

const most = 32_767

/** Reads `WxH+X+Y`, as X geometries are written; null for what is none. Pure. */
export function parseRegion(text: string): Region | null {
  const [, ...digits] = /^(\d{1,5})x(\d{1,5})\+(\d{1,5})\+(\d{1,5})$/.exec(text) ?? []
  const [width, height, x, y] = digits.map(Number)
  if (digits.length === 0 || width! < 1 || height! < 1 || Math.max(width!, height!, x!, y!) > most) return null
  return { x: x!, y: y!, width: width!, height: height! }
}

/** What a PNG says it measures; null for what is none. Pure. Source: PNG specification, 11.2.1. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } | null {
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  if (bytes.length < 33 || signature.some((byte, at) => bytes[at] !== byte) || String.fromCharCode(...bytes.subarray(12, 16)) !== 'IHDR') return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** A place in a picture as a place on the desktop; null for one that is not in the picture. Pure. */
export function toDesktop({ region, width, height, scale }: ShotView, x: number, y: number): { x: number; y: number } | null {
  if (x < 0 || y < 0 || x >= width || y >= height) return null
  const clamp = (value: number, end: number) => Math.min(Math.floor(value), end - 1)
  return { x: region.x + clamp((x + 0.5) * scale, region.width), y: region.y + clamp((y + 0.5) * scale, region.height) }
}
