/** A stretch of a text: offsets in UTF-16 units, `end` excluded. */
export interface Span {
  start: number
  end: number
}

/** Replaces a stretch of a text; `start === end` inserts. */
export interface Edit extends Span {
  text: string
}

/** Applies edits that do not overlap, in whatever order they are given. Pure. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = edits.map((edit, index) => ({ ...edit, index })).sort((a, b) => a.start - b.start || a.end - b.end || a.index - b.index)
  let out = ''
  let at = 0
  for (const { start, end, text: replacement } of ordered) {
    if (start < at) throw new RangeError(`Edits overlap at ${start}.`)
    out += text.slice(at, start) + replacement
    at = end
  }
  return out + text.slice(at)
}

/** A place as editors and compilers name it; both count from 1. */
export interface Place {
  line: number
  column: number
}

/** Where an offset lies. Lines end with LF, or CR LF. Pure. */
export function placeOf(text: string, offset: number): Place {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < lineStart; at = text.indexOf('\n', at + 1)) line++
  return { line, column: offset - lineStart + 1 }
}
