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
const bracedName = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?::([-+])([^}]*))?\}/

function expandVariable(raw: string, at: number, variables: ReadonlyMap<string, string>): { text: string; end: number } {
  const rest = raw.slice(at)
  const match = bracedName.exec(rest) ?? bareName.exec(rest)
  if (!match) return { text: '$', end: at }
  const [all, name, operator, word = ''] = match
  const value = variables.get(name!) ?? ''
  const text = operator === '-' ? value || expandWord(word, variables) : operator === '+' ? value && expandWord(word, variables) : value
  return { text, end: at + all.length - 1 }
}
