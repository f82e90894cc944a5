/** X keysyms of what has no character. Source: keysymdef.h of X.Org. */
export const keysyms = { tab: 0xff09, enter: 0xff0d, escape: 0xff1b, insert: 0xff63, control: 0xffe3, alt: 0xffe9, super: 0xffeb, f4: 0xffc1, f12: 0xffc9, delete: 0xffff } as const

/** The keysym of each character of a text; controls but tab and line ends have none. Pure. Source: X11 protocol, appendix A. */
export function keysymsOf(text: string): number[] {
  return [...text.replaceAll('\r\n', '\n')].flatMap((char) => {
    const code = char.codePointAt(0)!
    if (char === '\n' || char === '\r') return [keysyms.enter]
    if (char === '\t') return [keysyms.tab]
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return []
    return [code <= 0xff ? code : 0x01000000 | code]
  })
}

/** A part of a text, and the letters in it that are on no key of a US keyboard. */
export interface TypingPart {
  keysyms: number[]
  letters: number[]
}

const isOnKeyboard = (keysym: number) => keysym < 0x7f || (keysym >= 0xff00 && keysym <= 0xffff)

/** Parts of a text, each with no more letters than there are spare keys to lend them. Pure. */
export function typingParts(keys: readonly number[], spareKeys: number): TypingPart[] {
  const parts: TypingPart[] = []
  let letters = new Set<number>()
  let part: number[] = []
  const end = () => {
    if (part.length > 0) parts.push({ keysyms: part, letters: [...letters] })
    part = []
    letters = new Set()
  }
  for (const keysym of keys) {
    const isNew = !isOnKeyboard(keysym) && !letters.has(keysym)
    if (isNew && letters.size >= Math.max(1, spareKeys)) end()
    if (isNew) letters.add(keysym)
    part.push(keysym)
  }
  end()
  return parts
}
