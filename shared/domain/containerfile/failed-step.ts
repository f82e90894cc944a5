import { type Document, readDocument, wordingOf } from '../profile-form/containerfile-document.ts'
import type { Instruction } from './instructions.ts'

/** The instruction at which a build stopped, in a text that may have changed since. */
export interface FailedStep {
  /** Counts from 1. */
  line: number
  start: number
  /** End of the instruction's first line. */
  end: number
  /** As the builder counts: `3/9`. */
  step: string
}

/** `[2/3] STEP 4/5: RUN make`; the stage is there only where the file has several. Source: buildah's imagebuildah/stage_executor.go */
const stepLine = /^(?:\[(\d+)\/\d+\] )?STEP (\d+)\/(\d+): (.*)/

/**
 * Finds in a Containerfile the step that a failed build was at, by its number and its words; null where the log names none,
 * where it is another file's, and where the text says something else by now. Pure.
 * @param log what the builder printed; several builds may have gone before
 */
export function findFailedStep(text: string, log: readonly string[]): FailedStep | null {
  const at = log.findLastIndex((line) => stepLine.test(line))
  // What is behind a COMMIT is a build's own end: every step had succeeded.
  if (at < 0 || log.slice(at).some((line) => /^(\[\d+\/\d+\] )?COMMIT /.test(line))) return null
  const [, stage, number, count, words] = stepLine.exec(log[at]!)!
  const document = readDocument(text)
  const found = locate(document, stage === undefined ? null : Number(stage), Number(number), words!)
  if (!found) return null
  const newline = text.indexOf('\n', found.span.start)
  return {
    line: text.slice(0, found.span.start).split('\n').length,
    start: found.span.start,
    end: newline < 0 ? found.span.end : Math.min(newline, found.span.end),
    step: `${number}/${count}`,
  }
}

/** Where it was counted, else the only one that says the same: lines may have been put in above it meanwhile. */
function locate(document: Document, stage: number | null, number: number, words: string): Instruction | null {
  const stages = stage === null ? document.stages : document.stages.slice(stage - 1, stage)
  const counted = (stage === null ? document.stages.at(-1) : stages[0]) ?? null
  const expected = counted && [counted.from, ...counted.instructions][number - 1]
  if (expected && says(document, expected, words)) return expected
  const others = stages.flatMap(({ from, instructions }) => [from, ...instructions]).filter((one) => says(document, one, words))
  return others.length === 1 ? others[0]! : null
}

/** Builders print an instruction on one line, and may have filled in the variables of a FROM. */
function says(document: Document, instruction: Instruction, words: string): boolean {
  const [keyword, ...rest] = plain(words).split(' ')
  if (keyword!.toUpperCase() !== instruction.keyword) return false
  const own = plain(wordingOf(document, instruction)).split(' ').slice(1).join(' ')
  if (instruction.keyword === 'FROM' && own.includes('$')) return true
  const printed = rest.join(' ')
  // Of a heredoc, only the first line is printed.
  return own === printed || (instruction.heredocs.length > 0 && printed !== '' && own.startsWith(printed.split(' (')[0]!))
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
