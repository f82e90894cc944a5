import type { Span } from './edit.ts'
import type { Instruction } from './instructions.ts'

/** An npm package that a Containerfile fixes with two ARGs under a comment that names it. */
export interface Pin {
  /** The package. */
  npm: string
  version: string
  /** By the Subresource Integrity specification. */
  integrity: string
  versionSpan: Span
  integritySpan: Span
}

const pattern = /^[ \t]*#[ \t]*npm:[ \t]*(\S+)[ \t]*\r?\n[ \t]*(ARG[ \t]+(\w+)_VERSION=)([^\s"'$\\]+)([ \t]*\r?\n[ \t]*ARG[ \t]+\3_INTEGRITY=)([^\s"'$\\]+)[ \t]*$/gim

/**
 * Finds pins: `# npm: NAME` on the line above `ARG X_VERSION=…` and `ARG X_INTEGRITY=…`. Pure.
 * @param instructions of the same text: what only looks like a pin, in a heredoc, is none
 */
export function findPins(text: string, instructions: readonly Instruction[]): Pin[] {
  const starts = new Set(instructions.filter(({ keyword }) => keyword === 'ARG').map(({ span }) => span.start))
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [all, npm, start, , version, between, integrity] = match
    const versionEnd = match.index + all.trimEnd().length - integrity!.length - between!.length
    const versionSpan = { start: versionEnd - version!.length, end: versionEnd }
    const integrityStart = versionEnd + between!.length
    const isReal = starts.has(versionSpan.start - start!.length)
    return isReal ? [{ npm: npm!, version: version!, integrity: integrity!, versionSpan, integritySpan: { start: integrityStart, end: integrityStart + integrity!.length } }] : []
  })
}
