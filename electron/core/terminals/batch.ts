/** A terminal's read gives 4 KiB at most, and each message to a window costs as much as parsing some of them. */
const fullLength = 64 * 1024

/** Joins what is read in one turn of the event loop; a single read, such as the echo of a key, waits for nothing else. */
export interface Batch {
  add(data: Uint8Array): void
  /** Hands on what is held, at once. */
  flush(): void
}

export function createBatch(onData: (data: Uint8Array) => void): Batch {
  let held: Uint8Array[] = []
  let length = 0
  let timer: NodeJS.Immediate | undefined
  const flush = () => {
    clearImmediate(timer)
    timer = undefined
    if (length === 0) return
    const data = held.length === 1 ? held[0]! : Buffer.concat(held, length)
    held = []
    length = 0
    onData(data)
  }
  return {
    add(data) {
      held.push(data)
      length += data.length
      if (length >= fullLength) flush()
      else timer ??= setImmediate(flush)
    },
    flush,
  }
}
