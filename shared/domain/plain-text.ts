const control = /[\u0000-\u001f\u007f-\u009f]/g
/** All but line feed and tab, which a text may have. */
const controlInText = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Characters that show nothing, and those that turn the order of what follows: a path could look like another one. */
export const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Text from a sandbox, image or project, fit for a terminal and a line of the window: no control character is in it, and nothing is hidden in it. Pure. */
export function plain(text: string): string {
  return text.replace(control, hexEscape).replace(invisible, unicodeEscape)
}

/** The same for a text of several lines, which keeps its line ends and tabs. Pure. */
export function plainLines(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(controlInText, hexEscape).replace(invisible, unicodeEscape)
}

const hex = (char: string, digits: number) => char.charCodeAt(0).toString(16).padStart(digits, '0')
const hexEscape = (char: string) => `\\x${hex(char, 2)}`
export const unicodeEscape = (char: string) => `\\u${hex(char, 4)}`
