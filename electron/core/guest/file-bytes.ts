/** Reads and writes of open files, in callbacks as ssh2 has them; an error from the guest's server has its status as a numeric `code`. */
export interface FileBytes {
  /** @param done gets how many bytes came; those are in `into` */
  read(handle: Buffer, into: Buffer, position: number, done: (error: Error | undefined, count?: number) => void): void
  /** `data` must not change until it is done. */
  write(handle: Buffer, data: Buffer, position: number, done: (error?: Error) => void): void
}

/** Those reads and writes on a wire that SFTP is spoken on, and everything else that comes from it. */
export interface FileBytesWire extends FileBytes {
  /** Takes what came. @throws Error when it keeps to no rule of SFTP */
  take(chunk: Buffer): void
}

type Waiting = { into?: Buffer; done: (error: Error | undefined, count?: number) => void }

// Source of all below: draft-ietf-secsh-filexfer-02, sections 3 and 6.
const [readRequest, writeRequest] = [5, 6] as const
/** The first of the replies, all of which name their request, and the one with data. */
const [statusReply, dataReply] = [101, 103] as const
/** What OpenSSH sends at most. */
const maxPacket = 256 * 1024
/** Length, type, request: what tells where a packet belongs. And with the length of its data. */
const [headLength, dataHeadLength] = [9, 13]
/** ssh2 counts its requests from 0. */
const firstId = 2 ** 31

/**
 * Moves file bytes between a wire and the buffers of whoever asks, without copies of them in between: those cost a copy
 * through ssh2's SFTP most of its time, in new memory and in collecting it. What is not an answer to its own requests
 * goes to ssh2.
 * @param send writes to the wire @param others gets the rest of what comes
 */
export function fileBytesWire(send: (bytes: Buffer) => void, others: (bytes: Buffer) => void): FileBytesWire {
  const waiting = new Map<number, Waiting>()
  let nextId = firstId
  const head = Buffer.alloc(dataHeadLength)
  let headHas = 0
  /** Where the rest of a packet goes, and how much of it is to come. */
  let rest: { to: (bytes: Buffer) => void; left: number; end?: () => void } | null = null

  const ask = (type: number, handle: Buffer, position: number, length: number, data: Buffer | null, entry: Waiting) => {
    const id = nextId
    nextId = nextId === 2 ** 32 - 1 ? firstId : nextId + 1
    waiting.set(id, entry)
    const request = Buffer.allocUnsafe(headLength + 4 + handle.length + 12)
    request.writeUInt32BE(request.length - 4 + (data?.length ?? 0), 0)
    request[4] = type
    request.writeUInt32BE(id, 5)
    request.writeUInt32BE(handle.length, headLength)
    request.set(handle, headLength + 4)
    request.writeBigUInt64BE(BigInt(position), request.length - 12)
    request.writeUInt32BE(length, request.length - 4)
    send(request)
    if (data) send(data)
  }

  /** @returns what to do with the rest; null when the head is not whole yet */
  const sort = (): typeof rest => {
    const [length, type, id] = [head.readUInt32BE(0), head.readUInt8(4), head.readUInt32BE(5)]
    if (length < headLength - 4 || length > maxPacket) throw new Error(`a packet of ${length} bytes`)
    const left = length + 4 - headHas
    const entry = type >= statusReply ? waiting.get(id) : undefined
    if (!entry) {
      others(Buffer.from(head.subarray(0, headHas)))
      return { to: others, left }
    }
    if (type !== dataReply || !entry.into) {
      waiting.delete(id)
      const parts: Buffer[] = []
      return { to: (bytes) => void parts.push(Buffer.from(bytes)), left, end: () => entry.done(errorOf(type, Buffer.concat(parts))) }
    }
    if (headHas < dataHeadLength) return null
    const { into } = entry
    const count = head.readUInt32BE(headLength)
    if (count !== left || count > into.length) throw new Error('more or less data than it says')
    waiting.delete(id)
    let at = 0
    return { to: (bytes) => void (at += bytes.copy(into, at)), left, end: () => entry.done(undefined, count) }
  }

  return {
    read: (handle, into, position, done) => ask(readRequest, handle, position, into.length, null, { into, done }),
    write: (handle, data, position, done) => ask(writeRequest, handle, position, data.length, data, { done }),
    take(chunk) {
      for (let at = 0; at < chunk.length; ) {
        if (!rest) {
          const wanted = headHas < headLength ? headLength : dataHeadLength
          const some = Math.min(wanted - headHas, chunk.length - at)
          chunk.copy(head, headHas, at, at + some)
          headHas += some
          at += some
          if (headHas < wanted) return
          rest = sort()
        } else {
          const some = Math.min(rest.left, chunk.length - at)
          rest.to(chunk.subarray(at, at + some))
          rest.left -= some
          at += some
        }
        if (rest?.left !== 0) continue
        const { end } = rest
        rest = null
        headHas = 0
        end?.()
      }
    },
  }
}

/** @returns undefined for "OK" */
function errorOf(type: number, body: Buffer): Error | undefined {
  if (type !== statusReply || body.length < 4) return new Error('an answer of the wrong kind')
  const code = body.readUInt32BE(0)
  if (code === 0) return undefined
  const text = body.length >= 8 ? body.subarray(8, 8 + Math.min(body.readUInt32BE(4), 1_000)).toString() : ''
  return Object.assign(new Error(text || `status ${code}`), { code })
}
