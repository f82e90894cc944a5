/** What the guest's file server says, field by field; see files.pl. */
export type Message = Buffer[]

const wordBytes = 4

/** Encodes a message: a count of bytes, then each field with its own. */
export function encodeMessage(fields: readonly (string | Uint8Array)[]): Buffer {
  return encodeField(Buffer.concat(fields.map(encodeField)))
}

/** Bytes with their count before them. */
export function encodeField(field: string | Uint8Array): Buffer {
  const bytes = Buffer.from(field as Uint8Array)
  return Buffer.concat([count(bytes.length), bytes])
}

function count(value: number): Buffer {
  const bytes = Buffer.alloc(wordBytes)
  bytes.writeUInt32BE(value)
  return bytes
}

/**
 * Puts messages together from pieces of any size. What comes is hostile.
 * @param maxBytes of one message
 * @returns takes a piece and gives the messages that are whole with it; throws a RangeError for what is no message
 */
export function createMessageReader(maxBytes: number): (piece: Buffer) => Message[] {
  let pieces: Buffer[] = []
  let held = 0
  let wanted = wordBytes
  return (piece) => {
    pieces.push(piece)
    held += piece.length
    const messages: Message[] = []
    while (held >= wanted) {
      const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
      const length = bytes.readUInt32BE(0)
      if (length > maxBytes) throw new RangeError(`A message of ${length} bytes is too long.`)
      const end = wordBytes + length
      pieces = [bytes]
      wanted = end
      if (held < end) break
      messages.push(fieldsOf(bytes.subarray(wordBytes, end)))
      pieces = held > end ? [bytes.subarray(end)] : []
      held -= end
      wanted = wordBytes
    }
    return messages
  }
}

function fieldsOf(bytes: Buffer): Message {
  const fields: Message = []
  for (let at = 0; at < bytes.length; ) {
    if (at + wordBytes > bytes.length) throw new RangeError('A message ends within a count.')
    const end = at + wordBytes + bytes.readUInt32BE(at)
    if (end > bytes.length) throw new RangeError('A field is longer than its message.')
    fields.push(bytes.subarray(at + wordBytes, end))
    at = end
  }
  return fields
}
