/** What a stream said, cut in the middle where it said too much. */
export interface BoundedText {
  text: string
  /** How many bytes were left out of the middle. */
  omittedBytes: number
}

/** Keeps the beginning and the end of a stream: what a program was asked for, and how it went. */
export interface BoundedOutput {
  push(piece: Buffer): void
  /** Bytes that came, kept or not. */
  readonly total: number
  text(): BoundedText
}

/** @param maxBytes kept of a stream, half of them from its beginning */
export function createBoundedOutput(maxBytes: number): BoundedOutput {
  const headBytes = Math.ceil(maxBytes / 2)
  const tailBytes = maxBytes - headBytes
  const head: Buffer[] = []
  let headLength = 0
  let tail: Buffer[] = []
  let tailLength = 0
  let total = 0
  return {
    get total() {
      return total
    },
    push(piece) {
      total += piece.length
      const first = piece.subarray(0, headBytes - headLength)
      if (first.length > 0) head.push(first)
      headLength += first.length
      const rest = piece.subarray(first.length)
      if (rest.length === 0) return
      tail.push(rest)
      tailLength += rest.length
      // Not at every piece: joining costs, and a piece has no more than a window of SSH.
      if (tailLength > 2 * tailBytes + 65_536) shorten()
    },
    text() {
      shorten()
      const omittedBytes = total - headLength - tailLength
      const [beginning, end] = [Buffer.concat(head), Buffer.concat(tail)]
      if (omittedBytes === 0) return { text: Buffer.concat([beginning, end]).toString(), omittedBytes }
      const [first, last] = [wholeEnd(beginning), wholeStart(end)]
      const left = total - first.length - last.length
      return { text: `${first.toString()}\n[… ${left} bytes left out …]\n${last.toString()}`, omittedBytes: left }
    },
  }

  function shorten(): void {
    const all = Buffer.concat(tail)
    const kept = all.subarray(Math.max(0, all.length - tailBytes))
    // A copy: a small end must not keep a large piece alive.
    tail = [Buffer.from(kept)]
    tailLength = kept.length
  }
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Without a character of UTF-8 that was cut at the end. */
function wholeEnd(bytes: Buffer): Buffer {
  let at = bytes.length - 1
  for (let back = 0; back < 3 && isContinuation(bytes[at]); back++) at--
  const lead = bytes[at] ?? 0
  const needs = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return bytes.length - at < needs ? bytes.subarray(0, Math.max(at, 0)) : bytes
}

/** Without the rest of a character that was cut before. */
function wholeStart(bytes: Buffer): Buffer {
  let at = 0
  while (at < 3 && isContinuation(bytes[at])) at++
  return bytes.subarray(at)
}
