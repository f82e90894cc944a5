import { type Instruction, logicalArguments, readInstructions } from '../containerfile/instructions.ts'
import { readCommands, type ShellCommand, type ShellWord } from '../containerfile/shell-commands.ts'
import type { Document } from './containerfile-document.ts'
import type { PackageManager } from './package-managers.ts'

/** A command that installs packages. */
export interface PackageList {
  instruction: Instruction
  packages: ShellWord[]
  /** All words of the command, for the gaps between them. */
  words: ShellWord[]
  /** True where the step does nothing else, so that it can go with its last package. */
  isAlone: boolean
}

/** What was read of a step, all places counted from its start. */
interface KnownStep {
  commands: ShellCommand[]
  lists: Map<PackageManager, Omit<PackageList, 'instruction'>[]>
}

/** Between two keystrokes almost every step is the same: it is read again only when its own text changes. */
const known = new Map<string, KnownStep>()
const maxKnown = 4000
/** Several fields ask for each step of one text. */
const knownOf = new WeakMap<Instruction, KnownStep>()

function readStep(text: string, instruction: Instruction): KnownStep {
  const found = knownOf.get(instruction) ?? readStepText(text.slice(instruction.span.start, instruction.span.end))
  knownOf.set(instruction, found)
  return found
}

function readStepText(source: string): KnownStep {
  const found = known.get(source)
  if (found) return found
  if (known.size >= maxKnown) known.clear()
  const step: KnownStep = { commands: commandsIn(source), lists: new Map() }
  known.set(source, step)
  return step
}

/** The commands of the last stage that install packages in any case. */
export function findPackageLists({ text, stages }: Document, manager: PackageManager): PackageList[] {
  const found: PackageList[] = []
  for (const instruction of stages.at(-1)?.instructions ?? []) {
    if (instruction.keyword !== 'RUN') continue
    const step = readStep(text, instruction)
    const lists = step.lists.get(manager) ?? listsIn(step.commands, manager)
    step.lists.set(manager, lists)
    for (const { packages, words, isAlone } of lists) {
      const moved = words.map((word) => moveWord(word, instruction.span.start))
      found.push({ instruction, words: moved, packages: packages.map((word) => moved[words.indexOf(word)]!), isAlone })
    }
  }
  return found
}

function listsIn(commands: readonly ShellCommand[], manager: PackageManager): Omit<PackageList, 'instruction'>[] {
  return commands.flatMap((command) => {
    const packages = command.isCertain ? manager.packagesOf(command.words) : null
    if (!packages || packages.length === 0) return []
    // What the shell fills in may be packages too.
    const isAlone = commands.every((one) => one === command || manager.isHousekeeping(one.words.map(({ text }) => text))) && command.words.every(({ isPlain }) => isPlain)
    return [{ packages, words: command.words, isAlone }]
  })
}

/** Packages that some command of a step installs, whether it is run in any case or not. */
export function packagesIn(text: string, instruction: Instruction, manager: PackageManager): ShellWord[] {
  const { commands } = readStep(text, instruction)
  return commands.flatMap(({ words }) => manager.packagesOf(words) ?? []).map((word) => moveWord(word, instruction.span.start))
}

const moveWord = (word: ShellWord, by: number): ShellWord => ({ text: word.text, isPlain: word.isPlain, start: word.start + by, end: word.end + by })

const prefixes = new Set(['sudo', 'env', 'exec', 'command', 'eatmydata', 'nice'])

/** The commands of a RUN, what stands before the program taken away. */
function commandsIn(source: string): ShellCommand[] {
  const instruction = readInstructions(source)[0]!
  const commands = readCommands(logicalArguments(source, instruction)).map(withoutPrefix).filter(({ words }) => words.length > 0)
  if (commands.length > 0 || instruction.heredocs.length !== 1) return commands
  // A heredoc by itself is the script.
  const { start, end } = instruction.heredocs[0]!.body
  const at = Int32Array.from({ length: end - start + 1 }, (_, index) => start + index)
  return readCommands({ text: source.slice(start, end), at }).map(withoutPrefix).filter(({ words }) => words.length > 0)
}

function withoutPrefix({ words, isCertain }: ShellCommand): ShellCommand {
  let at = 0
  // Options of RUN itself, assignments, and programs that only start another.
  while (at < words.length && (/^--\w|^[A-Za-z_]\w*=/.test(words[at]!.text) || prefixes.has(words[at]!.text))) at++
  return { words: words.slice(at), isCertain }
}
