import type { Edit } from '../containerfile/edit.ts'
import type { Instruction } from '../containerfile/instructions.ts'
import type { Document } from './containerfile-document.ts'

/** Puts a new instruction behind another, a step (`RUN`) with a blank line before it. */
export function insertAfter({ eol }: Document, previous: Instruction, instruction: string): Edit {
  const { end } = previous.span
  const blank = /^(RUN|LABEL)\b/.test(instruction) ? eol : ''
  return { start: end, end, text: `${eol}${blank}${instruction.replaceAll('\n', eol)}` }
}

/** Takes an instruction out with its lines: the opposite of `insertAfter`. Comments above it stay. */
export function removeInstruction({ text }: Document, { keyword, span }: Instruction): Edit {
  const indent = /[ \t]*$/.exec(text.slice(0, span.start))![0].length
  const before = text.slice(0, span.start - indent)
  const ends = keyword === 'RUN' || keyword === 'LABEL' ? /(?:\r?\n(?=\r?\n))?\r?\n$/ : /\r?\n$/
  return { start: before.length - (ends.exec(before)?.[0].length ?? 0), end: span.end, text: '' }
}
