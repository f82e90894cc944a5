/**
 * Bytes that may wait for a program. Nobody types that far ahead, but a program that asks its terminal without end and
 * never reads the answers would fill the memory. No write is cut: while less than this waits, a paste goes in whole.
 */
export const maxWaiting = 1024 * 1024
/** Written in one turn of the event loop at most, however fast the program reads. */
const turnLength = 64 * 1024
/** A terminal that takes nothing is tried again after this, then after twice as long each time. */
const firstRetryMs = 1
const lastRetryMs = 100
/** Short writes share a block: an answer of a few bytes would cost a hundred otherwise. */
const blockLength = 16 * 1024

/** Input on its way into a terminal: all of it in its order, or, where too much waits, not at all. */
export interface InputQueue {
  /** @param data stays as it is from now on. @returns false when so much waits already that this is dropped */
  add(data: Uint8Array): boolean
  /** Drops what waits and takes nothing more. */
  close(): void
}

interface Block {
  bytes: Uint8Array
  from: number
  to: number
}

/** @param write says at once how many bytes were taken, 0 when there is no room; what it throws closes the queue */
export function createInputQueue(write: (data: Uint8Array) => number): InputQueue {
  let blocks: Block[] = []
  let waiting = 0
  let isClosed = false
  let retryMs = firstRetryMs
  let timer: NodeJS.Timeout | undefined
  const close = () => {
    isClosed = true
    clearTimeout(timer)
    timer = undefined
    blocks = []
    waiting = 0
  }
  const hold = (data: Uint8Array) => {
    waiting += data.length
    const last = blocks.at(-1)
    if (last && last.bytes.length - last.to >= data.length) {
      last.bytes.set(data, last.to)
      last.to += data.length
      return
    }
    const bytes = data.length >= blockLength ? data : new Uint8Array(blockLength)
    if (bytes !== data) bytes.set(data)
    blocks.push({ bytes, from: 0, to: data.length })
  }
  const send = () => {
    timer = undefined
    let room = turnLength
    try {
      for (let block = blocks[0]; block && room > 0; block = blocks[0]) {
        const asked = Math.min(room, block.to - block.from)
        const taken = write(block.bytes.subarray(block.from, block.from + asked))
        if (taken > 0) retryMs = firstRetryMs
        block.from += taken
        waiting -= taken
        room -= taken
        if (block.from === block.to) blocks.shift()
        if (taken < asked) break
      }
    } catch {
      // EIO, EBADF: nobody is left who could read.
      return close()
    }
    if (waiting === 0) return
    timer = setTimeout(send, retryMs)
    retryMs = Math.min(lastRetryMs, retryMs * 2)
  }
  return {
    add(data) {
      if (isClosed || waiting >= maxWaiting) return false
      if (data.length === 0) return true
      hold(data)
      if (!timer) send()
      return true
    },
    close,
  }
}
