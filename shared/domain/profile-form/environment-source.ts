import type { Span } from '../containerfile/edit.ts'
import { type Cell, expandCells, type Reference } from '../containerfile/expand-word.ts'
import { type Glyph, spell, type Style } from '../containerfile/glyphs.ts'
import { type Instruction, type Logical, logicalArguments } from '../containerfile/instructions.ts'
import { type Property, splitProperties } from '../containerfile/properties.ts'
import type { Document } from './containerfile-document.ts'

/** A variable of the image. */
export interface EnvironmentVariable {
  name: string
  /** As ENV means it; `$NAME` and `${NAME}` are references that the builder fills in. */
  value: string
}

/** A variable with the place of its definition. */
export interface EnvironmentDefinition extends EnvironmentVariable {
  instruction: Instruction
  args: Logical
  property: Property & { value: Span }
  /** All that the instruction defines, in their order. */
  siblings: Property[]
  /** How it is written; only asked for when it is changed. */
  writing(): EnvironmentWriting
}

/** How a value is written. */
export interface EnvironmentWriting {
  glyphs: Glyph[]
  /** Where a first character would stand, and how. */
  empty: { offset: number; style: Style }
  /** True where a dollar is meant as one: read back, it would be a reference. */
  hasLiteralDollar: boolean
}

/** A value that stands for itself. */
const plainValue = /^[^\s"'$\\]*$/

export const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/
const reference = /(\$(?:\{[^}\s"'\\]*\}|[A-Za-z_]\w*))/

/** A value as characters and references. */
export function tokensOf(value: string): string[] {
  return value.split(reference).flatMap((part, index) => (index % 2 === 1 ? [part] : part.split('')))
}

/** Every variable that ENV of the last stage defines, in the order of the file. */
export function environmentDefinitions({ text, stages }: Document): EnvironmentDefinition[] {
  const instructions = stages.at(-1)?.instructions.filter(({ keyword }) => keyword === 'ENV') ?? []
  return instructions.flatMap((instruction) => {
    const args = logicalArguments(text, instruction)
    const { properties: siblings, isOldForm } = splitProperties(args.text)
    return siblings.flatMap((property) => {
      const name = args.text.slice(property.name.start, property.name.end)
      const { value } = property
      if (!value || !variableName.test(name)) return []
      const raw = args.text.slice(value.start, value.end)
      const writing = () => readWriting(args, value, isOldForm ? 'rest' : 'bare')
      const meant = plainValue.test(raw) ? raw : writing().glyphs.map(({ char }) => char).join('')
      return [{ name, value: meant, instruction, args, siblings, property: { ...property, value }, writing }]
    })
  })
}

function readWriting(args: Logical, { start: valueStart, end: valueEnd }: Span, unquoted: 'bare' | 'rest'): EnvironmentWriting {
  const raw = args.text.slice(valueStart, valueEnd)
  const { cells, references } = expandCells(raw, new Map())
  const parts = [...cells.map(fromCell), ...references.map((one) => fromReference(raw, one))].sort((a, b) => a.start - b.start)
  const glyphs = parts.map(({ char, start, end, quote }): Glyph => {
    const style: Style = { builder: quote ?? unquoted, shell: undefined }
    const isPlain = char.length > 1 || spell(char, style) === raw.slice(start, end)
    return { char, style, isPlain, variable: null, start: args.at[valueStart + start]!, end: args.at[valueStart + end - 1]! + 1 }
  })
  const value = glyphs.map(({ char }) => char).join('')
  const quote = /^["']/.exec(raw)?.[0] as '"' | "'" | undefined
  return {
    glyphs,
    empty: { offset: args.at[valueStart + (quote ? 1 : 0)]!, style: { builder: quote ?? unquoted, shell: undefined } },
    hasLiteralDollar: tokensOf(value).length !== glyphs.length,
  }
}

const fromCell = ({ char, start, end, quote }: Cell) => ({ char, start, end, quote })

/** A reference, in the quotes that are open before it. */
function fromReference(raw: string, { start, end }: Reference) {
  return { char: raw.slice(start, end), start, end, quote: expandCells(`${raw.slice(0, start)}x`, new Map()).cells.at(-1)!.quote }
}
