/** How many ids an account gets: what useradd gives, and what images with unusual owners need. */
export const rangeSize = 65_536

/** Below this, ids belong to real accounts (`SUB_UID_MIN` in login.defs(5)). */
const firstStart = 100_000

/** Whether subuid(5) text gives the account a range that is large enough. */
export function hasRange(text, name, uid) {
  return parse(text).some((range) => (range.owner === name || range.owner === String(uid)) && range.count >= rangeSize)
}

/**
 * The start of a range that no account has, neither for users nor for groups.
 *
 * @param {string[]} texts the contents of /etc/subuid and /etc/subgid
 */
export function nextFreeRange(texts) {
  const ends = texts.flatMap(parse).map((range) => range.start + range.count)
  return Math.max(firstStart, ...ends)
}

function parse(text) {
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length === 3)
    .map(([owner, start, count]) => ({ owner, start: Number(start), count: Number(count) }))
    .filter(({ start, count }) => Number.isInteger(start) && Number.isInteger(count))
}
