import { isUtf8 } from 'node:buffer'

/**
 * The part of some bytes that is text; a character that a range cuts at its end is left out.
 * @param isCut whether the file goes on behind them
 * @returns null when it is none
 */
export function textPart(bytes: Buffer, isCut: boolean): Buffer | null {
  if (bytes.includes(0)) return null
  for (let less = 0; less <= (isCut ? 3 : 0) && less <= bytes.length; less++) {
    const part = bytes.subarray(0, bytes.length - less)
    if (isUtf8(part) && (part.length > 0 || bytes.length === 0)) return part
  }
  return null
}
