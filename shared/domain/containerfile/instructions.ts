import type { Span } from './edit.ts'
import { findHeredocs } from './heredocs.ts'

/** An instruction of a Containerfile with the places of all its parts. */
export interface Instruction {
  /** In capitals, whatever the file has. */
  keyword: string
  /** From the keyword to the end of the last line, heredocs included, without the line's end. */
  span: Span
  /** The lines that count, each without its continuation mark; comments and blank lines between them are left out. */
  pieces: Span[]
  heredocs: Heredoc[]
}

/** Text that stands below an instruction, up to a line of its own that ends it. */
export interface Heredoc {
  /** The lines between, with their ends. */
  body: Span
  /** False when the file ended before the closing line. */
  isClosed: boolean
}

/** The text of a whole instruction as builders read it, and where each character stands in the file. */
export interface Logical {
  text: string
  /** Offsets in the file, one for each character of `text`, and one more for its end. */
  at: ArrayLike<number>
}

const blank = /^[ \t\r\f\v]*$/
const comment = /^[ \t]*#/

/**
 * Takes a Containerfile apart into its instructions, without judging them. Linear in the length of the text: it runs at
 * every keystroke, where dockerfile-ast takes longer than a frame.
 * Source: containerfile(5), and `Parse` of BuildKit's frontend/dockerfile/parser.
 */
export function readInstructions(text: string): Instruction[] {
  const found: Instruction[] = []
  const lines = new Lines(text)
  for (let line = lines.next(); line; line = lines.next()) {
    const whole = text.slice(line.start, line.end)
    if (blank.test(whole) || comment.test(whole)) continue
    found.push(readInstruction(text, lines, line))
  }
  return found
}

function readInstruction(text: string, lines: Lines, first: Span): Instruction {
  const pieces: Span[] = []
  const indent = /^\s*/.exec(text.slice(first.start, first.end))![0].length
  let end = first.end
  for (let line: Span | null = { start: first.start + indent, end: first.end }; line; line = lines.next()) {
    const whole = text.slice(line.start, line.end)
    const isSkipped = pieces.length > 0 && (blank.test(whole) || comment.test(whole))
    if (isSkipped) continue
    const mark = continuationMark(whole)
    pieces.push({ start: line.start, end: line.end - mark })
    end = line.end
    if (mark === 0) break
  }
  const logical = pieces.map(({ start, end: pieceEnd }) => text.slice(start, pieceEnd)).join('')
  const heredocs: Heredoc[] = []
  for (const { name, stripsTabs } of findHeredocs(logical)) {
    const body = { start: lines.offset, end: lines.offset }
    let isClosed = false
    for (let line = lines.next(); line; line = lines.next()) {
      const whole = text.slice(line.start, line.end)
      end = line.end
      isClosed = (stripsTabs ? whole.replace(/^\t+/, '') : whole) === name
      if (isClosed) break
      body.end = lines.offset
    }
    heredocs.push({ body, isClosed })
  }
  return { keyword: /^\S*/.exec(logical)![0].toUpperCase(), span: { start: first.start + indent, end }, pieces, heredocs }
}

/**
 * Length of the backslash, and of the blanks behind it, with which a line goes on; 0 where it does not. Podman's builder
 * joins the next line even where the backslash is itself escaped; BuildKit does not.
 */
function continuationMark(line: string): number {
  let at = line.length
  while (at > 0 && (line[at - 1] === ' ' || line[at - 1] === '\t')) at--
  return line[at - 1] === '\\' ? line.length - at + 1 : 0
}

/** Instructions are made anew with every text, and several readers ask the same of them. */
const known = new WeakMap<object, Logical>()

/** What stands behind the keyword, lines joined as builders do it before they look at anything else. Pure. */
export function logicalArguments(text: string, instruction: Pick<Instruction, 'pieces'>): Logical {
  const found = known.get(instruction)
  if (found) return found
  const joined = instruction.pieces.map(({ start, end }) => text.slice(start, end)).join('')
  let skipped = /^\S*\s*/.exec(joined)![0].length
  const args = joined.slice(skipped)
  // A plain array of as many numbers would cost more than all the rest.
  const at = new Int32Array(args.length + 1)
  let count = 0
  for (const { start, end } of instruction.pieces) {
    for (let offset = start + Math.min(skipped, end - start); offset < end; offset++) at[count++] = offset
    skipped = Math.max(0, skipped - (end - start))
  }
  at[count] = instruction.pieces.at(-1)!.end
  const logical = { text: args, at }
  known.set(instruction, logical)
  return logical
}

/** Lines of a text, without their ends. */
class Lines {
  /** Start of the line that `next` will give. */
  offset: number

  constructor(private readonly text: string) {
    // A byte order mark belongs to no line.
    this.offset = text.startsWith('\uFEFF') ? 1 : 0
  }

  next(): Span | null {
    if (this.offset >= this.text.length) return null
    const start = this.offset
    const newline = this.text.indexOf('\n', start)
    const end = newline < 0 ? this.text.length : newline
    this.offset = newline < 0 ? end : newline + 1
    return { start, end: this.text[end - 1] === '\r' && end > start ? end - 1 : end }
  }
}
