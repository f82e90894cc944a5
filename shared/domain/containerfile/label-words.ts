import { split } from 'shlex'
import type { Span } from './edit.ts'
import { expandCells, type Cell, type Reference } from './expand-word.ts'
import { type Glyph, isRefusal, type Refusal, spell, type Style } from './glyphs.ts'
import type { Logical } from './instructions.ts'

/** A word of a run label as the shell rules split it. */
export interface LabelWord {
  text: string
  glyphs: Glyph[]
  /** In the file, quotes included. */
  span: Span
}

/** A label's value, read with the builder's rules and then split with the shell's. */
export interface LabelWords {
  /** What the image will carry. */
  value: string
  words: LabelWord[]
  /** Variables that the builder fills in, places in the file. */
  references: Reference[]
  /** How a word without quotes of its own is written here. */
  style: Style
}

/**
 * Splits the value of a label, each character with the place where it is written. Pure.
 * @param args the joined arguments of LABEL, with their places
 * @returns a refusal where the value cannot be changed piece by piece
 */
export function readLabelWords(args: Logical, value: Span, isOldForm: boolean, variables: ReadonlyMap<string, string>): LabelWords | Refusal {
  const raw = args.text.slice(value.start, value.end)
  const { cells, references } = expandCells(raw, variables)
  const offset = (at: number) => args.at[value.start + at]!
  const endOffset = (at: number) => (at === 0 ? offset(0) : offset(at - 1) + 1)
  const builder = isOldForm ? 'rest' : 'bare'
  const quote = cells[0]?.quote ?? null
  if (cells.some((cell) => cell.quote !== quote) || !isContiguous(cells, references)) return { why: 'the label is written with a mix of quotes' }
  const style: Style = { builder: quote ?? builder, shell: 'bare' }
  const meant = cells.map(({ char }) => char).join('')
  const words = splitCells(cells, meant)
  if (isRefusal(words)) return words
  return {
    value: meant,
    style,
    references: references.map(({ name, start, end }) => ({ name, start: offset(start), end: endOffset(end) })),
    words: words.map(({ chars, from, to }) => ({
      text: chars.map(({ char }) => char).join(''),
      span: { start: offset(cells[from]!.start), end: endOffset(cells[to - 1]!.end) },
      glyphs: chars.map(({ char, from: first, to: last, quote: shell }): Glyph => {
        const own = cells.slice(first, last)
        const written = raw.slice(own[0]!.start, own.at(-1)!.end)
        const ownStyle: Style = { ...style, shell: shell ?? 'bare' }
        return {
          char, style: ownStyle, isPlain: spell(char, ownStyle) === written, variable: own.find((cell) => cell.variable !== null)?.variable ?? null,
          start: offset(own[0]!.start), end: endOffset(own.at(-1)!.end),
        }
      }),
    })),
  }
}

/** Whether one pair of quotes, or none, holds everything: nothing but variables without a value lies between two characters. */
function isContiguous(cells: readonly Cell[], references: readonly Reference[]): boolean {
  return cells.every((cell, index) => {
    const next = cells[index + 1]
    if (!next || next.start === cell.end || next.start === cell.start) return true
    let at = cell.end
    for (const reference of references) if (reference.start === at) at = reference.end
    return at === next.start
  })
}

interface ShellChar {
  char: string
  /** Cells that it is written with. */
  from: number
  to: number
  quote: '"' | "'" | null
}

interface ShellWord {
  chars: ShellChar[]
  from: number
  to: number
}

/** As shlex's `split`, with places; refuses where the two do not agree, as on `$'…'`. */
function splitCells(cells: readonly Cell[], text: string): ShellWord[] | Refusal {
  const words: ShellWord[] = []
  let word: ShellWord | null = null
  let quote: ShellChar['quote'] = null
  for (let at = 0; at < cells.length; at++) {
    const char = text[at]!
    if (quote === null && /[ \t\r\n]/.test(char)) {
      if (word) words.push({ ...word, to: at })
      word = null
      continue
    }
    word ??= { chars: [], from: at, to: at }
    const next = text[at + 1]
    if (quote === null && (char === '"' || char === "'")) quote = char
    else if (char === quote) quote = null
    else if (char === '\\' && next !== undefined && (quote === null || (quote === '"' && /["\\]/.test(next)))) {
      word.chars.push({ char: next, from: at, to: at + 2, quote })
      at++
    } else word.chars.push({ char, from: at, to: at + 1, quote })
  }
  if (quote !== null) return { why: 'a quote in the label is not closed' }
  if (word) words.push({ ...word, to: cells.length })
  const expected = safeSplit(text)
  const isSame = expected?.length === words.length && words.every(({ chars }, index) => chars.map(({ char }) => char).join('') === expected[index])
  return isSame ? words : { why: 'the label is quoted in a way that only the text can show' }
}

function safeSplit(text: string): string[] | null {
  try {
    return split(text)
  } catch {
    return null
  }
}
