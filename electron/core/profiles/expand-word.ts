/**
 * What a builder makes of a word in a Containerfile: quotes taken away, escapes resolved, variables of `ARG` and `ENV`
 * filled in. Source: the "Environment replacement" section of containerfile(5) and the Dockerfile reference.
 * @param raw the word as it stands in the file, line continuations already joined
 */
export function expandWord(raw: string, variables: ReadonlyMap<string, string>): string {
  let out = ''
  let quote: '"' | "'" | null = null
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at]!
    if (quote === "'") {
      if (char === "'") quote = null
      else out += char
    } else if (char === '"' || (char === "'" && quote === null)) {
      quote = quote === char ? null : char
    } else if (char === '\\' && at + 1 < raw.length) {
      const next = raw[++at]!
      out += quote === '"' && !'"$\\'.includes(next) ? char + next : next
    } else if (char === '$') {
      const { text, end } = expandVariable(raw, at, variables)
      out += text
      at = end
    } else {
      out += char
    }
  }
  return out
}

const bareName = /^\$([A-Za-z_][A-Za-z0-9_]*)/
const bracedName = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?:\}|:([-+]))/

function expandVariable(raw: string, at: number, variables: ReadonlyMap<string, string>): { text: string; end: number } {
  const rest = raw.slice(at)
  const match = bracedName.exec(rest) ?? bareName.exec(rest)
  if (!match) return { text: '$', end: at }
  const [all, name, operator] = match
  const value = variables.get(name!) ?? ''
  if (operator === undefined) return { text: value, end: at + all.length - 1 }
  const closing = closingBrace(rest, all.length)
  if (closing < 0) return { text: '$', end: at }
  const word = () => expandWord(rest.slice(all.length, closing), variables)
  return { text: operator === '-' ? value || word() : value && word(), end: at + closing }
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
