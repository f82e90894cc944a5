import { expandWord } from '../containerfile/expand-word.ts'
import { type Instruction, type Logical, logicalArguments, readInstructions } from '../containerfile/instructions.ts'
import { splitProperties } from '../containerfile/properties.ts'

/** A build stage; instructions without the FROM. */
export interface DocumentStage {
  from: Instruction
  /** The image or stage that it starts from, variables filled in. */
  image: string
  name: string | null
  instructions: Instruction[]
  /** The earlier stage that it starts from. */
  parent: DocumentStage | null
}

/** A Containerfile as far as the form has to understand it. Never throws: what is wrong is a finding. */
export interface Document {
  text: string
  /** The line ends that new lines get. */
  eol: '\n' | '\r\n'
  instructions: Instruction[]
  stages: DocumentStage[]
  /** Defaults of ARG before the first FROM. */
  globals: Map<string, string>
  /** Why nothing of this file can be changed through the form; null when it can. */
  obstacle: string | null
}

/** Reads a Containerfile for the form. Pure, and linear in its length. */
export function readDocument(text: string): Document {
  const instructions = readInstructions(text)
  const stages: DocumentStage[] = []
  const globals = new Map<string, string>()
  for (const instruction of instructions) {
    const stage = stages.at(-1)
    if (instruction.keyword === 'FROM') stages.push(readFrom(text, instruction, globals, stages))
    else if (stage) stage.instructions.push(instruction)
    else if (instruction.keyword === 'ARG') define(globals, text, instruction, globals)
  }
  return { text, eol: /\r\n/.test(text) ? '\r\n' : '\n', instructions, stages, globals, obstacle: obstacleOf(text, instructions, stages) }
}

function obstacleOf(text: string, instructions: readonly Instruction[], stages: readonly DocumentStage[]): string | null {
  if (/^(?:\s*#[^\n]*\n)*\s*#\s*escape\s*=\s*`/i.test(text)) return 'the file chooses another escape character'
  const last = instructions.at(-1)
  // What is put behind either of these would become a part of it.
  if (last?.heredocs.some(({ isClosed }) => !isClosed)) return 'a heredoc is not closed'
  if (last?.heredocs.length === 0 && last.pieces.at(-1)!.end < last.span.end) return 'the last line ends in a backslash'
  return stages.length === 0 ? 'the file has no FROM' : null
}

function readFrom(text: string, from: Instruction, globals: ReadonlyMap<string, string>, earlier: readonly DocumentStage[]): DocumentStage {
  const words = fromWords(logicalArguments(text, from))
  const image = expandWord(words.image?.text ?? '', globals)
  const parent = earlier.findLast(({ name }) => name !== null && name === image.toLowerCase()) ?? null
  return { from, image, name: words.name?.toLowerCase() ?? null, instructions: [], parent }
}

/** The words of FROM; the image with its place in the joined arguments. */
export function fromWords(args: Logical): { image: { text: string; start: number; end: number } | null; name: string | null } {
  const words = [...args.text.matchAll(/\S+/g)].map((match) => ({ text: match[0], start: match.index, end: match.index + match[0].length }))
  const [image, as, name] = words.filter(({ text }) => !text.startsWith('--'))
  return { image: image ?? null, name: as && /^as$/i.test(as.text) ? (name?.text ?? null) : null }
}

/** Adds what an ARG or ENV defines to variables. */
function define(variables: Map<string, string>, text: string, instruction: Instruction, globals: ReadonlyMap<string, string>): void {
  const { text: args } = logicalArguments(text, instruction)
  // Within one instruction, all values are read before any is set.
  const defined = splitProperties(args).properties.map(({ name, value }) => {
    const key = expandWord(args.slice(name.start, name.end), variables)
    return [key, value ? expandWord(args.slice(value.start, value.end), variables) : globals.get(key)] as const
  })
  for (const [key, value] of defined) if (value !== undefined) variables.set(key, value)
}

/** What variables stand for at an instruction of a stage. */
export function variablesAt(document: Document, stage: DocumentStage, instruction: Instruction): Map<string, string> {
  const variables = new Map<string, string>()
  for (const earlier of stage.instructions) {
    if (earlier === instruction) break
    if (earlier.keyword === 'ARG' || earlier.keyword === 'ENV') define(variables, document.text, earlier, document.globals)
  }
  return variables
}

/** The last stage, which becomes the image, and those that it starts from, the last first. */
export function imageStages({ stages }: Document): DocumentStage[] {
  const chain: DocumentStage[] = []
  for (let stage: DocumentStage | null = stages.at(-1) ?? null; stage; stage = stage.parent) chain.push(stage)
  return chain
}

/** Instructions that only describe the image: a change of theirs makes no layer anew. */
const describing = new Set(['LABEL', 'ENTRYPOINT', 'CMD', 'USER', 'WORKDIR', 'EXPOSE', 'STOPSIGNAL', 'HEALTHCHECK', 'VOLUME', 'SHELL', 'ONBUILD', 'MAINTAINER'])

/**
 * The instruction of the last stage behind which a new step is put: before the block that describes the image, and
 * while the build is still root.
 */
export function placeForStep(document: Document): Instruction {
  const stage = document.stages.at(-1)!
  const own = stage.instructions
  let count = own.length
  while (count > 0 && describing.has(own[count - 1]!.keyword)) count--
  const userAt = own.findIndex((instruction) => instruction.keyword === 'USER' && !/^(root|0)(:|$)/.test(argumentsOf(document, instruction)))
  const end = userAt < 0 ? count : Math.min(count, userAt)
  return own[end - 1] ?? stage.from
}

/** An instruction's joined arguments, as text. */
export function argumentsOf(document: Document, instruction: Instruction): string {
  return logicalArguments(document.text, instruction).text.trim()
}

/** An instruction's joined text, for comparing two. */
export function wordingOf(document: Document, instruction: Instruction): string {
  const body = instruction.heredocs.map(({ body: { start, end } }) => document.text.slice(start, end).replaceAll('\r\n', '\n'))
  return [instruction.keyword, logicalArguments(document.text, instruction).text, ...body].join('\n')
}
