import type { Span } from './edit.ts'
import type { Logical } from './instructions.ts'

/** A word of a shell command. */
export interface ShellWord extends Span {
  /** Without quotes and escapes. */
  text: string
  /** False where the shell puts something in: a variable, a command's output. */
  isPlain: boolean
}

/** A simple command of a script. */
export interface ShellCommand {
  words: ShellWord[]
  /** False where it depends on something whether the command is run. */
  isCertain: boolean
}

/** What decides whether the next command is run. */
type Operator = '&&' | '||' | '|' | ';' | '(' | ')' | '&'

interface Token {
  word?: ShellWord
  operator?: Operator
  isRedirection?: boolean
}

/**
 * Finds the simple commands of a shell script, as far as it takes to know where packages are named. What it does not
 * understand it takes for uncertain. Pure; spans are places in the file.
 * Source: "Token Recognition" of POSIX, Shell Command Language.
 */
export function readCommands(script: Logical): ShellCommand[] {
  const commands: ShellCommand[] = []
  const flow = new Flow()
  let words: ShellWord[] = []
  let isSkipping = false
  const finish = (operator: Operator) => {
    const command = flow.enter(words, operator)
    if (command) commands.push(command)
    words = []
  }
  for (const { word, operator, isRedirection } of tokensOf(script)) {
    if (word && !isSkipping) words.push(word)
    isSkipping = isRedirection ?? false
    if (operator) finish(operator)
  }
  finish(';')
  return commands
}

const openers = new Set(['if', 'case', 'for', 'while', 'until', 'select'])
const closers = new Set(['fi', 'esac', 'done'])
const leading = new Set(['then', 'do', 'else', 'elif', '{', '}', '!', 'time'])
const tests = new Set(['[', '[[', 'test'])
const harmless = new Set(['true', ':'])

/** Follows which commands are run in any case. */
class Flow {
  private depth = 0
  private mayHaveEnded = false
  private before: Operator = ';'
  private isGuarded = false

  enter(words: readonly ShellWord[], operator: Operator): ShellCommand | null {
    let at = 0
    while (leading.has(words[at]?.text ?? '')) at++
    const own = words.slice(at)
    const name = own[0]?.text ?? ''
    if (openers.has(name)) this.depth++
    const isCertain = this.depth === 0 && !this.mayHaveEnded && !this.isGuarded && (this.before !== '||' || harmless.has(name))
    if (closers.has(name)) this.depth = Math.max(0, this.depth - 1)
    if (name === 'exit' || name === 'return') this.mayHaveEnded = true
    if (operator === '&&') this.isGuarded ||= tests.has(name)
    else if (operator === ';' || operator === '&') this.isGuarded = false
    if (own.length > 0 || operator !== ')') this.before = operator
    return own.length > 0 ? { words: own, isCertain } : null
  }
}

const operators: Record<string, Operator> = { '&&': '&&', '||': '||', '|': '|', '|&': '|', ';': ';', ';;': ';', '&': '&', '(': '(', ')': ')', '\n': ';' }

function* tokensOf({ text, at }: Logical): Generator<Token> {
  const reader = new Reader(text)
  while (reader.skipBlanks()) {
    if (reader.take(redirectionPattern) !== null) yield { isRedirection: true }
    else {
      const operator = reader.take(operatorPattern)
      const start = reader.at
      if (operator !== null) yield { operator: operators[operator]! }
      else {
        const { word, isPlain } = reader.readWord()
        yield { word: { text: word, isPlain, start: at[start]!, end: at[reader.at - 1]! + 1 } }
      }
    }
  }
}

const operatorPattern = /&&|\|\||\|&|;;|[|;&()\n]/y
const redirectionPattern = /\d*(?:>>|>\||>&|<&|<<<|<<-?|<>|[<>])|&>>?/y
const blankPattern = /(?:[ \t\r]|\\\r?\n)+/y
/** Characters of a word that stand for themselves. */
const ordinaryPattern = /[^\s|;&()<>'"$`\\*?{]+/y
const joinedLinesPattern = /\\\r?\n/y
const variablePattern = /\$(?:[A-Za-z_]\w*|[\d@*#?$!-])?/y

class Reader {
  at = 0

  constructor(private readonly text: string) {}

  /** What matches here, read over; null for nothing. */
  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0] ?? null
    if (found !== null) this.at += found.length
    return found
  }

  /** @returns false at the end */
  skipBlanks(): boolean {
    while (this.take(blankPattern) !== null || this.text[this.at] === '#') if (this.text[this.at] === '#') this.at = this.indexOf('\n')
    return this.at < this.text.length
  }

  private indexOf(text: string): number {
    const found = this.text.indexOf(text, this.at + 1)
    return found < 0 ? this.text.length : found
  }

  readWord(): { word: string; isPlain: boolean } {
    let word = ''
    let isPlain = true
    for (;;) {
      word += this.take(ordinaryPattern) ?? ''
      const char = this.text[this.at]
      if (char === undefined || /[\s|;&()<>]/.test(char)) break
      if (char === "'") {
        const end = this.indexOf("'")
        word += this.text.slice(this.at + 1, end)
        this.at = end + 1
      } else if (char === '"') {
        const inside = this.readDoubleQuoted()
        word += inside.text
        isPlain &&= inside.isPlain
      } else if (char === '$' || char === '`') {
        isPlain = false
        word += this.readExpansion()
      } else if (char === '\\') {
        if (this.take(joinedLinesPattern) !== null) continue
        word += this.text[this.at + 1] ?? ''
        this.at += 2
      } else {
        // A pattern or a list in braces.
        isPlain = false
        word += char
        this.at++
      }
    }
    this.at = Math.min(this.at, this.text.length)
    return { word, isPlain }
  }

  private readDoubleQuoted(): { text: string; isPlain: boolean } {
    let text = ''
    let isPlain = true
    this.at++
    while (this.at < this.text.length && this.text[this.at] !== '"') {
      const char = this.text[this.at]!
      if (char === '$' || char === '`') {
        isPlain = false
        text += this.readExpansion()
      } else if (char === '\\') {
        text += this.text[this.at + 1] ?? ''
        this.at += 2
      } else {
        text += char
        this.at++
      }
    }
    this.at++
    return { text, isPlain }
  }

  /** `$NAME`, `${…}`, `$(…)` or backquotes, as they are written. */
  private readExpansion(): string {
    const start = this.at
    if (this.text[this.at] === '`') this.at = this.indexOf('`') + 1
    else if (this.text[this.at + 1] === '(') this.skipNested('(', ')')
    else if (this.text[this.at + 1] === '{') this.skipNested('{', '}')
    else this.take(variablePattern)
    return this.text.slice(start, this.at)
  }

  private skipNested(open: string, close: string): void {
    this.at++
    for (let depth = 0; this.at < this.text.length; this.at++) {
      const char = this.text[this.at]!
      if (char === '\\') this.at++
      else if (char === "'" && open === '(') this.at = this.indexOf("'")
      else if (char === open) depth++
      else if (char === close && --depth === 0) {
        this.at++
        return
      }
    }
  }
}
