/**
 * What of a copied text may be pasted: no control character but tabs and line ends. An escape sequence would end a
 * bracketed paste, and all after it would be taken for typed; a program may have put it into the clipboard. Pure.
 */
export function pasteable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '')
}

/**
 * How many lines a paste would run one after the other, or 0 when nobody need be asked: one line, or a program that asked for
 * bracketed paste (`\e[?2004h`) and so can tell pasted text from typed text. Pure.
 */
export function linesAtRisk(text: string, isBracketed: boolean): number {
  if (isBracketed) return 0
  const lines = text.replace(/[\r\n]+$/, '').split(/\r\n|\r|\n/).length
  return lines > 1 ? lines : 0
}
