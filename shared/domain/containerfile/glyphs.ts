import type { Edit } from './edit.ts'

/** The quotes around a character: the builder's, and inside a run label also the shell's. */
export interface Style {
  /** `bare` is a word without quotes; `rest` the older form of LABEL and ENV, where blanks need none. */
  builder: '"' | "'" | 'bare' | 'rest'
  /** undefined where no shell reads the text. */
  shell: '"' | "'" | 'bare' | undefined
}

/** A character that is meant, and how it is written in the file. A reference to a variable that stays one counts as a character. */
export interface Glyph {
  char: string
  start: number
  end: number
  style: Style
  /** Written as `spell` would write it. */
  isPlain: boolean
  /** The variable of ARG or ENV that it comes from. */
  variable: string | null
}

/** Why something cannot be changed without damage, as a clause that follows "because". */
export interface Refusal {
  why: string
}

export const isRefusal = (value: object): value is Refusal => 'why' in value

const escapedInShell: Record<string, RegExp> = { bare: /[\s'"\\]/, '"': /["\\]/, "'": /(?!)/ }
const escapedInBuilder: Record<string, RegExp> = { bare: /[\s'"\\$]/, rest: /['"\\$]/, '"': /["\\$]/, "'": /(?!)/ }

/** Writes text so that it is read as itself in a style; null where the style cannot hold it. Pure. */
export function spell(text: string, { builder, shell }: Style): string | null {
  const word = shell === undefined ? text : escape(text, shell, escapedInShell[shell]!)
  return word === null ? null : escape(word, builder, escapedInBuilder[builder]!)
}

function escape(text: string, quote: string, special: RegExp): string | null {
  if (/[\u0000-\u0008\n-\u001f]/.test(text) || (quote === "'" && text.includes("'"))) return null
  return [...text].map((char) => (special.test(char) ? `\\${char}` : char)).join('')
}

/**
 * Changes what glyphs say and leaves how they are written: only the characters that differ are replaced, in the style of
 * those in their place. What this writes, it also takes back byte for byte. Pure.
 * @param source the file
 * @param wanted characters, or references to variables
 * @param empty where the first character would stand, and in which style, if there is none
 */
export function rewrite(source: string, glyphs: readonly Glyph[], wanted: readonly string[], empty?: { offset: number; style: Style }): Edit[] | Refusal {
  const shortest = Math.min(glyphs.length, wanted.length)
  let prefix = 0
  while (prefix < shortest && glyphs[prefix]!.char === wanted[prefix]) prefix++
  let suffix = 0
  while (suffix < shortest - prefix && glyphs.at(-1 - suffix)!.char === wanted.at(-1 - suffix)) suffix++
  const replaced = glyphs.slice(prefix, glyphs.length - suffix)
  const added = wanted.slice(prefix, wanted.length - suffix)
  if (replaced.length === 0 && added.length === 0) return []
  // What is written right behind `$NAME` would become a part of the name.
  const touched = added.length > 0 && prefix > 0 ? [glyphs[prefix - 1]!, ...replaced] : replaced
  const variable = touched.find((glyph) => glyph.variable !== null)?.variable
  if (variable != null) return { why: `it comes from the variable ${variable}` }
  // Where nothing remains to show the style, the whole must have one.
  const witnesses = replaced.length > 0 && added.length > 0 ? replaced : glyphs.filter((glyph) => glyph.variable === null)
  const style = witnesses[0]?.style ?? empty?.style
  if (!style) return { why: 'it comes from a variable' }
  if (witnesses.some((glyph) => !isSameStyle(glyph.style, style))) return { why: 'it is written with a mix of quotes' }
  if (replaced.some(({ isPlain }) => !isPlain)) return { why: 'it is written with escapes that need not be there' }
  const spelled = spellAll(added, style)
  if (spelled === null) return { why: `the quotes around it cannot hold ${JSON.stringify(added.join(''))}` }
  const start = replaced[0]?.start ?? glyphs[prefix - 1]?.end ?? glyphs[0]?.start ?? empty!.offset
  const end = replaced.at(-1)?.end ?? start
  if (source.slice(start, end).includes('\n')) return { why: 'it is spread over several lines' }
  return [{ start, end, text: spelled }]
}

/** Writes characters and references in a style; null where it cannot hold them. Pure. */
export function spellAll(tokens: readonly string[], style: Style): string | null {
  const spelled = tokens.map((token) => (token.length === 1 ? spell(token, style) : style.builder === "'" ? null : token))
  return spelled.includes(null) ? null : spelled.join('')
}

const isSameStyle = (a: Style, b: Style) => a.builder === b.builder && a.shell === b.shell
