import { type Copy, DockerfileParser, type From, type Instruction, type JSONInstruction, type Label, type PropertyInstruction } from 'dockerfile-ast'
import { expandWord } from '../../../shared/domain/containerfile/expand-word.ts'

/** What Paddock reads from a Containerfile. */
export interface Containerfile {
  /** Every image from outside that some stage starts from or copies from, variables filled in. */
  images: string[]
  /** The image under the last stage. */
  base: string
  /** Names declared with ARG: only these take a build argument. */
  declaredArgs: Set<string>
  /** Paths and patterns that the build reads from the profile's folder. */
  copied: string[]
  /** The last stage's own labels, by lower-case name. */
  labels: Map<string, string>
}

const instructions = new Set(
  'FROM ARG ENV RUN CMD ENTRYPOINT COPY ADD LABEL WORKDIR USER VOLUME EXPOSE SHELL STOPSIGNAL HEALTHCHECK ONBUILD MAINTAINER'.split(' '),
)

interface Stage {
  name: string | null
  from: string
  labels: Map<string, string>
}

/**
 * Reads a Containerfile as a builder would.
 * @param buildArgs win over the defaults of ARG
 * @throws {SyntaxError} naming the line
 */
export function parseContainerfile(text: string, buildArgs: Readonly<Record<string, string>> = {}): Containerfile {
  const reader = new Reader(buildArgs, text)
  for (const instruction of DockerfileParser.parse(text).getInstructions()) reader.read(instruction)
  return reader.finish()
}

class Reader {
  private readonly stages: Stage[] = []
  private readonly global = new Map<string, string>()
  private variables = new Map<string, string>()
  private readonly declaredArgs = new Set<string>()
  private readonly copied: string[] = []
  private readonly images = new Set<string>()
  private readonly lines: string[]

  constructor(
    private readonly buildArgs: Readonly<Record<string, string>>,
    text: string,
  ) {
    this.lines = text.split(/\r?\n/)
  }

  read(instruction: Instruction): void {
    const keyword = instruction.getKeyword()
    const line = instruction.getRange().start.line + 1
    if (!instructions.has(keyword)) throw new SyntaxError(`line ${line}: ${keyword} is not an instruction`)
    if (this.stages.length === 0 && keyword !== 'FROM' && keyword !== 'ARG') throw new SyntaxError(`line ${line}: ${keyword} stands before FROM`)
    if (keyword === 'FROM') this.readFrom(instruction as From, line)
    else if (keyword === 'ARG') this.readArg(instruction as PropertyInstruction)
    else if (keyword === 'ENV') this.readProperties(instruction as PropertyInstruction, (name, value) => this.variables.set(name, value))
    else if (keyword === 'LABEL') {
      const labels = this.stages.at(-1)!.labels
      this.readProperties(instruction as Label, (name, value) => labels.set(name.toLowerCase(), value))
    } else if (keyword === 'COPY' || keyword === 'ADD') this.readCopy(instruction as Copy)
    else if (keyword === 'RUN') this.readMounts(instruction as JSONInstruction)
  }

  finish(): Containerfile {
    const last = this.stages.at(-1)
    if (!last) throw new SyntaxError('it has no FROM')
    const labels = new Map<string, string>()
    let base = last.from
    // A stage that starts from an earlier one inherits its labels.
    for (let stage: Stage | undefined = last; stage; ) {
      for (const [name, value] of stage.labels) if (!labels.has(name)) labels.set(name, value)
      base = stage.from
      const from: string = stage.from
      const before: Stage[] = this.stages.slice(0, this.stages.indexOf(stage))
      stage = before.findLast(({ name }) => name === from.toLowerCase())
    }
    return { images: [...this.images], base, declaredArgs: this.declaredArgs, copied: this.copied, labels }
  }

  private readFrom(from: From, line: number): void {
    const image = expandWord(from.getImage() ?? '', this.global)
    if (image === '') throw new SyntaxError(`line ${line}: FROM names no image`)
    this.addImage(image)
    this.stages.push({ name: from.getBuildStage()?.toLowerCase() ?? null, from: image, labels: new Map() })
    this.variables = new Map()
  }

  private addImage(reference: string): void {
    const isStage = this.stages.some(({ name }, index) => name === reference.toLowerCase() || String(index) === reference)
    if (!isStage && reference !== 'scratch') this.images.add(reference)
  }

  private readArg(arg: PropertyInstruction): void {
    const scope = this.stages.length === 0 ? this.global : this.variables
    for (const property of arg.getProperties()) {
      const name = property.getName()
      this.declaredArgs.add(name)
      const given = this.buildArgs[name]
      const own = property.getValue() === null ? this.global.get(name) : this.valueOf(property, scope)
      const value = given ?? own
      if (value !== undefined) scope.set(name, value)
    }
  }

  private readProperties(instruction: PropertyInstruction, set: (name: string, value: string) => void): void {
    const known = new Map(this.variables)
    for (const property of instruction.getProperties()) set(expandWord(property.getName(), known), this.valueOf(property, known))
  }

  private valueOf(property: ReturnType<PropertyInstruction['getProperties']>[number], variables: ReadonlyMap<string, string>): string {
    const range = property.getValueRange()
    return range === null ? '' : expandWord(this.textOf(range), variables)
  }

  /** Text of a range, continuation lines joined and comments between them left out. */
  private textOf({ start, end }: { start: { line: number; character: number }; end: { line: number; character: number } }): string {
    let text = ''
    for (let line = start.line; line <= end.line; line++) {
      const whole = this.lines[line]!
      const part = whole.slice(line === start.line ? start.character : 0, line === end.line ? end.character : undefined)
      if (line !== start.line && /^\s*#/.test(whole)) continue
      text += line === end.line ? part : part.replace(/\\[ \t]*$/, '')
    }
    return text
  }

  private readCopy(copy: Copy): void {
    const from = copy.getFlags().find((flag) => flag.getName() === 'from')
    if (from) return this.addImage(expandWord(from.getValue() ?? '', this.variables))
    const words = wordsOf(copy)
    const sources = words.slice(0, -1).filter((word) => !word.startsWith('<<') && !/^[a-z+]+:\/\/|^git@/.test(word))
    if (copy.getHeredocs().length === 0) this.copied.push(...sources.map((word) => expandWord(word, this.variables)))
  }

  /** `RUN --mount=type=bind` reads the folder as COPY does. */
  private readMounts(run: JSONInstruction): void {
    for (const flag of run.getFlags()) {
      if (flag.getName() !== 'mount') continue
      const options = new Map((flag.getValue() ?? '').split(',').map((option) => option.split('=', 2) as [string, string]))
      if ((options.get('type') ?? 'bind') !== 'bind') continue
      const from = options.get('from')
      if (from === undefined) this.copied.push(options.get('source') ?? options.get('src') ?? '.')
      else this.addImage(expandWord(from, this.variables))
    }
  }
}

/** The end of a line that goes on, with the comments that may stand before the next. */
const continuation = /\\[ \t]*\r?\n(?:[ \t]*(?:#[^\n]*)?\n)*/g

/** Words of COPY or ADD behind its flags, in the plain and in the JSON form. */
function wordsOf(copy: Copy): string[] {
  const joined = (copy.getRawArgumentsContent() ?? '').replace(continuation, ' ')
  const raw = joined.replace(/^(\s*--\S+)+\s*/, '')
  if (raw.startsWith('[')) {
    try {
      return (JSON.parse(raw) as unknown[]).map(String)
    } catch {
      // Not JSON after all: then a builder, too, reads it as plain words.
    }
  }
  return raw.split(/\s+/).filter(Boolean)
}
