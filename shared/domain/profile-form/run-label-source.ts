import type { Span } from '../containerfile/edit.ts'
import { expandWord, type Reference } from '../containerfile/expand-word.ts'
import { type Glyph, isRefusal, type Refusal, type Style } from '../containerfile/glyphs.ts'
import { type Instruction, logicalArguments } from '../containerfile/instructions.ts'
import { type LabelWord, readLabelWords } from '../containerfile/label-words.ts'
import { splitProperties } from '../containerfile/properties.ts'
import { parseWrittenOptions, type RunOption } from '../run-flags.ts'
import { type Document, type DocumentStage, imageStages, variablesAt } from './containerfile-document.ts'

/** An option of the run label with its place in the file. */
export interface LabelOption extends RunOption {
  /** From its first word to its last. */
  span: Span
  /** Index of its first word, and of the one behind its last. */
  words: [from: number, to: number]
  /** How its value is written; empty for a switch. */
  glyphs: Glyph[]
  /** True where another option stands in the same word, as in `-it`. */
  isShared: boolean
}

/** The `LABEL run` that an image will carry, as it is written. */
export interface RunLabelSource {
  instruction: Instruction
  /** The value's place, quotes included. */
  span: Span
  value: string
  words: LabelWord[]
  options: LabelOption[]
  /** Index of the image among the words. */
  imageAt: number
  style: Style
  references: Reference[]
}

/** A LABEL run that cannot be taken apart. */
export interface OpaqueLabel extends Refusal {
  instruction: Instruction
  span: Span
  references: Reference[]
}

/** Finds the run label that counts: the last of the last stage, else of the stages that it starts from. null when there is none. */
export function findRunLabel(document: Document): RunLabelSource | OpaqueLabel | null {
  for (const stage of imageStages(document)) {
    for (const instruction of stage.instructions.toReversed()) {
      if (instruction.keyword !== 'LABEL') continue
      const found = readRunLabel(document, stage, instruction)
      if (found) return found
    }
  }
  return null
}

function readRunLabel(document: Document, stage: DocumentStage, instruction: Instruction): RunLabelSource | OpaqueLabel | null {
  const args = logicalArguments(document.text, instruction)
  if (!/run/i.test(args.text) && !args.text.includes('$')) return null
  const { properties, isOldForm } = splitProperties(args.text)
  const variables = variablesAt(document, stage, instruction)
  const property = properties.findLast(({ name }) => expandWord(args.text.slice(name.start, name.end), variables).toLowerCase() === 'run')
  if (!property?.value || property.value.start === property.value.end) return null
  const { value } = property
  const span = { start: args.at[value.start]!, end: args.at[value.end - 1]! + 1 }
  const read = readLabelWords(args, value, isOldForm, variables)
  if (isRefusal(read)) return { instruction, span, references: [], ...read }
  const texts = read.words.map(({ text }) => text)
  if (texts[0] !== 'podman' || texts[1] !== 'run') return { instruction, span, references: read.references, why: 'the label does not begin with "podman run"' }
  try {
    const { options, imageAt } = parseWrittenOptions(texts.slice(2))
    return {
      ...read, instruction, span, imageAt: imageAt + 2,
      options: options.map(({ flag, value: text, words: [from, to], valueAt, isShared }) => ({
        flag, value: text, isShared, words: [from + 2, to + 2],
        span: { start: read.words[from + 2]!.span.start, end: read.words[to + 1]!.span.end },
        glyphs: valueAt === null ? [] : read.words[to + 1]!.glyphs.slice(valueAt),
      })),
    }
  } catch (error) {
    return { instruction, span, references: read.references, why: (error as Error).message }
  }
}
