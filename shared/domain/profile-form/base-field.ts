import type { Edit, Span } from '../containerfile/edit.ts'
import type { Refusal } from '../containerfile/glyphs.ts'
import { type Instruction, logicalArguments } from '../containerfile/instructions.ts'
import { splitProperties } from '../containerfile/properties.ts'
import { type Document, fromWords, imageStages } from './containerfile-document.ts'
import { type Field, unsupported, valueState } from './field.ts'

const reference = /^[A-Za-z0-9][A-Za-z0-9._/:@-]*$/

/** The image that the profile is built on. Where FROM names one ARG, its default is what is changed. */
export const base: Field<string> = {
  check: (value) => (reference.test(value) ? null : 'the base must be an image, as in docker.io/library/debian:trixie-slim'),
  read(source) {
    const place = findBase(source)
    if ('why' in place) return unsupported(place.why, place.span)
    return valueState(source.text.slice(place.start, place.end), place)
  },
  write(source, value): Edit[] | Refusal {
    const place = findBase(source)
    return 'why' in place ? { why: place.why } : [{ start: place.start, end: place.end, text: value }]
  },
}

function findBase(document: Document): Span | (Refusal & { span: Span | null }) {
  const stage = imageStages(document).at(-1)
  if (!stage) return { why: 'the file has no FROM', span: null }
  const args = logicalArguments(document.text, stage.from)
  const { image } = fromWords(args)
  if (!image) return { why: 'FROM names no image', span: stage.from.span }
  const span = { start: args.at[image.start]!, end: args.at[image.end - 1]! + 1 }
  if (reference.test(image.text) && image.text !== 'scratch') return document.text.slice(span.start, span.end) === image.text ? span : { why: 'it is spread over several lines', span }
  const name = /^\$(?:\{(\w+)\}|(\w+))$/.exec(image.text)
  const variable = name?.[1] ?? name?.[2]
  if (variable === undefined) return { why: `${image.text} is not one image`, span }
  const uses = document.stages.filter(({ from }) => new RegExp(`\\$\\{?${variable}\\b`).test(logicalArguments(document.text, from).text))
  if (uses.length > 1) return { why: `${image.text} is the base of several stages`, span }
  return findDefault(document, variable) ?? { why: `the default of ${variable} is not one image`, span }
}

/** Where the default of an ARG before FROM stands, if it is written plainly. */
function findDefault({ text, instructions, stages }: Document, name: string): Span | null {
  const before = instructions.slice(0, instructions.indexOf(stages[0]!.from))
  const found = before.filter(({ keyword }) => keyword === 'ARG').flatMap((instruction) => defaultsIn(text, instruction, name))
  const last = found.at(-1)
  return last && reference.test(text.slice(last.start, last.end)) ? last : null
}

function defaultsIn(text: string, instruction: Instruction, name: string): Span[] {
  const args = logicalArguments(text, instruction)
  return splitProperties(args.text).properties.flatMap((property) => {
    if (!property.value || args.text.slice(property.name.start, property.name.end) !== name) return []
    const quotes = /^(["']).*\1$/.test(args.text.slice(property.value.start, property.value.end)) ? 1 : 0
    const { start, end } = property.value
    return end - start <= 2 * quotes ? [] : [{ start: args.at[start + quotes]!, end: args.at[end - 1 - quotes]! + 1 }]
  })
}
