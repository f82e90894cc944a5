/** A text as an editor holds it, and how its file ends lines. */
export interface EditorText {
  text: string
  eol: '\n' | '\r\n'
}

/**
 * Takes the line ends out of a file's text where all are the same, so that places count as an editor counts them. A file
 * that mixes them keeps each one in the text: nobody asked for a change of all its lines. Pure.
 */
export function fromFile(written: string): EditorText {
  const isUniform = !/(?<!\r)\n|\r(?!\n)/.test(written)
  return written.includes('\r\n') && isUniform ? { text: written.replaceAll('\r\n', '\n'), eol: '\r\n' } : { text: written, eol: '\n' }
}

/** The opposite of `fromFile`. Pure. */
export function toFile({ text, eol }: EditorText): string {
  return eol === '\n' ? text : text.replaceAll('\n', eol)
}
