/**
 * What a JPEG file says it measures; null when that does not stand in its first frame header. Pure.
 * Source: ITU-T T.81, B.2.2.
 */
export function jpegSize(data: Uint8Array): { width: number; height: number } | null {
  const word = (at: number) => (data[at]! << 8) | data[at + 1]!
  if (word(0) !== 0xffd8) return null
  for (let at = 2; at + 9 < data.length; ) {
    if (data[at] !== 0xff) return null
    const marker = data[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { height: word(at + 5), width: word(at + 7) }
    const length = word(at + 2)
    if (length < 2) return null
    at += 2 + length
  }
  return null
}
