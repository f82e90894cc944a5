const instruction = /^(?:ONBUILD\s+)?(?:RUN|COPY|ADD)\s/i
const word = /^\d*<<(-?)([^<]+)$/

/**
 * The heredocs that a joined instruction opens, in their order. Only RUN, COPY and ADD can. Pure.
 * Source: `heredocsFromLine` of BuildKit's frontend/dockerfile/parser.
 */
export function findHeredocs(logical: string): { name: string; stripsTabs: boolean }[] {
  if (!logical.includes('<<') || !instruction.test(logical)) return []
  return splitRaw(logical).flatMap((raw) => {
    const match = word.exec(raw)
    if (!match) return []
    const name = match[2]!.replace(/\\(.)|["']/g, '$1')
    return name === '' ? [] : [{ name, stripsTabs: match[1] === '-' }]
  })
}

/** Words of a line, quotes and escapes left in them. */
function splitRaw(line: string): string[] {
  return line.match(/(?:\\.|"(?:\\.|[^"\\])*"?|'[^']*'?|[^\s"'\\])+/g) ?? []
}
