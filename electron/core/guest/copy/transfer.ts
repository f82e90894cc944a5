import type { FileHandle } from 'node:fs/promises'
import { PaddockError } from '../../../../shared/errors/paddock-error.ts'
import type { FileSession, GuestHandle } from './file-session.ts'

/** Bytes in one request; OpenSSH takes up to 255 KiB. */
const pieceLength = 192 * 1024
/** Requests under way at once, so that the way there and back costs no time. */
const inFlight = 24
/** How many leave together: each that leaves alone wakes every program between here and the guest's server. */
const together = 8
/** Pieces that wait to be written here, while more come. */
const maxUnfinished = 8

/** What a copy tells while it goes on. */
export interface CopyPace {
  signal: AbortSignal
  onBytes: (count: number) => void
}

/**
 * Copies a file's bytes from the guest, in their order, so that what is there is always a beginning of it.
 * @param size what the guest said; no more is taken, and less is an error
 */
export async function download(session: FileSession, handle: GuestHandle, to: FileHandle, from: number, size: number, pace: CopyPace): Promise<void> {
  const unfinished: Promise<void>[] = []
  const spare = new SpareBuffers()
  const waiting: Buffer[] = []
  let written = from
  /** All that came while the last ones were written: each write waits for a thread. */
  const writeWaiting = async () => {
    const pieces = waiting.splice(0)
    await writeWhole(to, pieces, written)
    for (const piece of pieces) {
      written += piece.length
      spare.giveBack(piece)
      pace.onBytes(piece.length)
    }
  }
  let last = Promise.resolve()
  try {
    for await (const { data } of readAhead(from, size, pace, spare, (at, into) => readWhole(session, handle, at, into))) {
      waiting.push(data)
      last = last.then(writeWaiting)
      last.catch(() => {})
      unfinished.push(last)
      if (unfinished.length > maxUnfinished) await unfinished.shift()
    }
    await last
  } finally {
    await last.catch(() => {})
  }
}

/** The same towards the guest: its server writes one request after the other, so those under way leave in the file's order. */
export async function upload(session: FileSession, from: FileHandle, handle: GuestHandle, start: number, size: number, pace: CopyPace): Promise<void> {
  const underWay: { written: Promise<void>; data: Buffer }[] = []
  const spare = new SpareBuffers()
  let whole = start
  let hasFailed = false
  const settle = async () => {
    const { written, data } = underWay.shift()!
    await written
    spare.giveBack(data)
    whole += data.length
    pace.onBytes(data.length)
  }
  try {
    for await (const { data, position } of readAhead(start, size, pace, spare, (at, into) => readHere(from, at, into))) {
      const written = session.write(handle, data, position)
      written.catch(() => (hasFailed = true))
      underWay.push({ written, data })
      while (underWay.length > inFlight || (hasFailed && underWay.length > 0)) await settle()
    }
    while (underWay.length > 0) await settle()
  } catch (error) {
    // One that failed leaves a hole before those that went out after it: the next copy must not go on behind it.
    if (!pace.signal.aborted || hasFailed) await session.setAttributes(handle, { size: whole }).catch(() => {})
    throw error
  }
}

/** Reads several pieces at once, and hands them on one after the other; none after a cancel. */
async function* readAhead(from: number, size: number, { signal }: CopyPace, spare: SpareBuffers, read: (position: number, into: Buffer) => Promise<void>): AsyncGenerator<{ data: Buffer; position: number }> {
  const queue: { piece: Promise<void>; data: Buffer; position: number }[] = []
  let next = from
  while (next < size || queue.length > 0) {
    const canAsk = queue.length <= inFlight - together
    while (canAsk && next < size && queue.length < inFlight) {
      const length = Math.min(pieceLength, size - next)
      const data = spare.take(length)
      const piece = read(next, data)
      // Its failure is seen when its turn comes, or not at all when an earlier one has failed.
      piece.catch(() => {})
      queue.push({ piece, data, position: next })
      next += length
    }
    const { piece, data, position } = queue.shift()!
    await piece
    if (signal.aborted) throw new PaddockError({ code: 'cancelled', message: 'Cancelled. The same command goes on where this one stopped.' })
    yield { data, position }
  }
}

/** Memory of pieces that are done with: to get new memory for each takes longer than to copy it. */
class SpareBuffers {
  private readonly free: Buffer[] = []

  take(length: number): Buffer {
    return (this.free.pop() ?? Buffer.allocUnsafe(pieceLength)).subarray(0, length)
  }

  giveBack(piece: Buffer): void {
    // Only the last piece of a file is shorter, and none comes after it.
    if (piece.length === pieceLength) this.free.push(piece)
  }
}

async function readHere(from: FileHandle, position: number, into: Buffer): Promise<void> {
  const { bytesRead } = await from.read(into, 0, into.length, position)
  if (bytesRead < into.length) throw shorter()
}

/** A disk that is nearly full takes less than it is given, and says no more than that. */
async function writeWhole(to: FileHandle, pieces: readonly Buffer[], position: number): Promise<void> {
  let left = pieces
  for (let at = position; left.length > 0; ) {
    const { bytesWritten } = await to.writev(left, at)
    at += bytesWritten
    left = behind(left, bytesWritten)
  }
}

/** What is left of some pieces behind their first bytes. */
function behind(pieces: readonly Buffer[], count: number): Buffer[] {
  let left = count
  return pieces.flatMap((piece) => {
    const skipped = Math.min(left, piece.length)
    left -= skipped
    return skipped === piece.length ? [] : [piece.subarray(skipped)]
  })
}

async function readWhole(session: FileSession, handle: GuestHandle, position: number, into: Buffer): Promise<void> {
  for (let done = 0; done < into.length; ) {
    const count = await session.read(handle, position + done, into.subarray(done))
    if (count === 0) throw shorter()
    done += count
  }
}

function shorter(): PaddockError {
  return new PaddockError({ code: 'copy-failed', message: 'A file is shorter than it was said to be: it changed while it was copied.', hint: 'Copy again when nothing writes it.' })
}
