/** Unpacking and reading this much takes a page a quarter of a second. */
const bytesPerSecond = 4 * 1024 * 1024
/** What a message costs beside its text, in bytes. */
const messageBytes = 4 * 1024

/** Counts what the clipboards of a server and a person tell each other. */
export interface TextBudget {
  /** A message that says so much. @returns whether that was within what may be said */
  spend(bytes: number, nowMs: number): boolean
}

/** A bucket that holds what may be said in a second, and fills as the second goes. A few bytes of VNC unpack to a text of the greatest size, or ask for one. */
export function createTextBudget(): TextBudget {
  let spent = 0
  let at = 0
  return {
    spend(bytes, nowMs) {
      spent = Math.max(0, spent - ((nowMs - at) / 1_000) * bytesPerSecond) + bytes + messageBytes
      at = nowMs
      return spent <= bytesPerSecond
    },
  }
}
