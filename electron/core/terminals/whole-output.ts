/** Longer unfinished sequences are handed on as they are: a picture or a clipboard text may be megabytes. */
const longestTail = 1_024

/**
 * Cuts a program's output where a view may begin to follow it: never within a UTF-8 character, nor within a short
 * escape sequence. What a cut leaves over waits for the next bytes; on a screen it would show nothing yet.
 */
export interface WholeOutput {
  /** @returns what is whole so far; may be empty */
  add(data: Uint8Array): Uint8Array
  /** @returns what is left when no more comes */
  end(): Uint8Array
}

export function createWholeOutput(): WholeOutput {
  let left: Uint8Array = new Uint8Array(0)
  return {
    add(data) {
      const all = left.length === 0 ? data : Buffer.concat([left, data])
      const cut = all.length - unfinishedLength(all)
      left = all.subarray(cut)
      return all.subarray(0, cut)
    },
    end() {
      const last = left
      left = new Uint8Array(0)
      return last
    },
  }
}

// ECMA-48, 5.4: ESC [, parameter bytes, intermediate bytes; 5.6: ESC ] up to its terminator.
const unfinishedSequence = /\u001b(?:\[[\u0020-\u003f]*|\][^\u0007\u001b]*\u001b?|[\u0020-\u002f]*)$/

/** Bytes at the end that belong to a character or sequence that is not complete. */
function unfinishedLength(bytes: Uint8Array): number {
  const tail = bytes.subarray(-longestTail)
  const escape = tail.includes(0x1b) ? unfinishedSequence.exec(Buffer.from(tail).toString('latin1')) : null
  if (escape && escape[0].length < longestTail) return escape[0].length
  // RFC 3629: the first byte of a character says how many follow.
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}
