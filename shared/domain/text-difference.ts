import type { Edit } from './containerfile/edit.ts'

/** One edit that turns a text into another; null when they are the same. Pure. */
export function differenceOf(before: string, after: string): Edit | null {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start++
  let end = 0
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return start === before.length && before.length === after.length ? null : { start, end: before.length - end, text: after.slice(start, after.length - end) }
}
