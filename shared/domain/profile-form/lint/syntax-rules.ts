import { logicalArguments } from '../../containerfile/instructions.ts'
import { fromWords } from '../containerfile-document.ts'
import type { FormSource } from '../field.ts'
import type { Found } from './lint-profile.ts'

const known = new Set('FROM ARG ENV RUN CMD ENTRYPOINT COPY ADD LABEL WORKDIR USER VOLUME EXPOSE SHELL STOPSIGNAL HEALTHCHECK ONBUILD MAINTAINER'.split(' '))

const refused = 'No builder takes the file as it is, so the profile cannot be used.'

/** What keeps a builder from reading the file. */
export function syntaxFindings({ text, instructions, stages, obstacle }: FormSource): Found[] {
  const found: Found[] = []
  const add = (rule: string, message: string, { start, end }: { start: number; end: number }) => found.push({ level: 'error', rule, message, why: refused, start, end, fix: null })
  const first = stages[0]?.from.span.start ?? Infinity
  for (const instruction of instructions) {
    const { keyword, span, heredocs } = instruction
    const place = { start: span.start, end: Math.min(span.end, span.start + keyword.length) }
    if (!known.has(keyword)) add('instruction', `${keyword} is not an instruction.`, place)
    else if (span.start < first && keyword !== 'ARG') add('before-from', `${keyword} stands before FROM.`, place)
    else if (keyword === 'FROM' && fromWords(logicalArguments(text, instruction)).image === null) add('from', 'FROM names no image.', place)
    else if (heredocs.some(({ isClosed }) => !isClosed)) add('heredoc', 'A heredoc is not closed.', place)
  }
  if (stages.length === 0) add('from', 'The file has no FROM.', { start: 0, end: 0 })
  if (obstacle?.includes('backslash')) add('continuation', 'The last line ends in a backslash, and nothing follows.', { start: text.trimEnd().length - 1, end: text.trimEnd().length })
  return found
}
