export type Quote = '"' | "'" | null

/** One character that a builder makes of a word, and the stretch of the word that it was made of. */
export interface Cell {
  char: string
  start: number
  end: number
  /** The quotes that it stands in. */
  quote: Quote
  /** Name of the variable that it came from. */
  variable: string | null
}

/** A variable in a word, whether it has a value or not. */
export interface Reference {
  name: string
  start: number
  end: number
}

/**
 * What a builder makes of a word in a Containerfile: quotes taken away, escapes resolved, variables of `ARG` and `ENV`
 * filled in. Source: the "Environment replacement" section of containerfile(5) and the Dockerfile reference.
 * @param raw the word as it stands in the file, line continuations already joined
 */
export function expandWord(raw: string, variables: ReadonlyMap<string, string>): string {
  let out = ''
  for (const { char } of expandCells(raw, variables).cells) out += char
  return out
}

/** The same, each character with the place that it came from. */
export function expandCells(raw: string, variables: ReadonlyMap<string, string>): { cells: Cell[]; references: Reference[] } {
  const cells: Cell[] = []
  const references: Reference[] = []
  let quote: Quote = null
  const push = (text: string, start: number, end: number, variable: string | null = null) => {
    for (let index = 0; index < text.length; index++) cells.push({ char: text[index]!, start, end, quote, variable })
  }
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at]!
    if (quote === "'") {
      if (char === "'") quote = null
      else push(char, at, at + 1)
    } else if (char === '"' || (char === "'" && quote === null)) {
      quote = quote === char ? null : char
    } else if (char === '\\' && at + 1 < raw.length) {
      const next = raw[++at]!
      if (quote === '"' && !'"$\\'.includes(next)) {
        push(char, at - 1, at)
        push(next, at, at + 1)
      } else push(next, at - 1, at + 1)
    } else if (char === '$') {
      const { text, end, name } = expandVariable(raw, at, variables)
      push(text, at, end + 1, name)
      if (name !== null) references.push({ name, start: at, end: end + 1 })
      at = end
    } else {
      push(char, at, at + 1)
    }
  }
  return { cells, references }
}

const bareName = /^\$([A-Za-z_][A-Za-z0-9_]*)/
const bracedName = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?:\}|:([-+]))/

function expandVariable(raw: string, at: number, variables: ReadonlyMap<string, string>): { text: string; end: number; name: string | null } {
  const rest = raw.slice(at)
  const match = bracedName.exec(rest) ?? bareName.exec(rest)
  if (!match) return { text: '$', end: at, name: null }
  const [all, name, operator] = match
  const value = variables.get(name!) ?? ''
  if (operator === undefined) return { text: value, end: at + all.length - 1, name: name! }
  const closing = closingBrace(rest, all.length)
  if (closing < 0) return { text: '$', end: at, name: null }
  const word = () => expandWord(rest.slice(all.length, closing), variables)
  return { text: operator === '-' ? value || word() : value && word(), end: at + closing, name: name! }
}

/** Where the brace closes that was open before `from`; the word in it may hold variables in braces itself. */
function closingBrace(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text.startsWith('${', at)) depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  return -1
}
