import type { Span } from './edit.ts'

/** A `NAME=VALUE` of ARG, ENV or LABEL; spans in the joined arguments. */
export interface Property {
  name: Span
  /** null for `ARG NAME`, which has none. */
  value: Span | null
}

/**
 * Splits the arguments of ARG, ENV or LABEL as builders do. Pure.
 * Source: `parseNameVal` and `parseWords` of BuildKit's frontend/dockerfile/parser.
 * @returns also whether it is the older form, `LABEL NAME everything else`, whose blanks need no quotes
 */
export function splitProperties(args: string): { properties: Property[]; isOldForm: boolean } {
  const words = splitWords(args)
  const first = words[0]
  if (!first) return { properties: [], isOldForm: false }
  if (words.length > 1 && !args.slice(first.start, first.end).includes('=')) {
    const start = words[1]!.start
    return { properties: [{ name: first, value: { start, end: start + args.slice(start).trimEnd().length } }], isOldForm: true }
  }
  const properties = words.map((word): Property => {
    const equals = args.slice(word.start, word.end).indexOf('=')
    if (equals < 0) return { name: word, value: null }
    return { name: { start: word.start, end: word.start + equals }, value: { start: word.start + equals + 1, end: word.end } }
  })
  return { properties, isOldForm: false }
}

function splitWords(args: string): Span[] {
  const words: Span[] = []
  let start = -1
  let quote: string | null = null
  for (let at = 0; at <= args.length; at++) {
    const char = args[at]
    if (char === undefined || (quote === null && /\s/.test(char))) {
      if (start >= 0) words.push({ start, end: at })
      start = -1
      continue
    }
    if (start < 0) start = at
    if (char === '\\' && quote !== "'" && at + 1 < args.length) at++
    else if (quote === null && (char === '"' || char === "'")) quote = char
    else if (char === quote) quote = null
  }
  return words
}
