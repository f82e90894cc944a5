import type { Edit, Span } from './edit.ts'

/**
 * Takes words out of a list that is spread over lines, each with the blanks or the line's end before it. Comments above
 * a word stay: they may be about what follows. Pure.
 * @param words all words of the list; the first cannot be taken out
 * @param groups words to take out, as index ranges in ascending order
 */
export function cutWords(source: string, words: readonly Span[], groups: readonly (readonly [from: number, to: number])[]): Edit[] {
  const cuts: Edit[] = []
  for (const [from, to] of groups) {
    const [before, first, last, after] = [words[from - 1]!.end, words[from]!.start, words[to - 1]!.end, words[to]?.start]
    const hasComment = source.slice(before, first).split('\n').length > 2
    const cut = hasComment && after !== undefined ? { start: first, end: after } : { start: before, end: last }
    const previous = cuts.at(-1)
    if (previous && cut.start < previous.end) previous.end = cut.end
    else cuts.push({ ...cut, text: '' })
  }
  return cuts
}

/** What parts two words of a list, without the comments in it: blanks, or the end of a line and the next one's indent. Pure. */
export function separatorBetween(source: string, before: Span, after: Span): string {
  const lines = source.slice(before.end, after.start).split('\n')
  return lines.length === 1 ? lines[0]! : `${lines[0]}\n${lines.at(-1)}`
}
