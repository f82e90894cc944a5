import { linesAtRisk, pasteable } from '../../../shared/domain/paste-risk.ts'

/**
 * Takes every way of pasting into a terminal (keys, menu, middle button) before xterm.js does, and asks where lines
 * would run at once.
 * @param isBracketed whether the program asked for bracketed paste; asked each time
 */
export function createPaste(
  element: HTMLElement,
  paste: (text: string) => void,
  isBracketed: () => boolean,
  onRisk: (text: string, lines: number) => void,
): { offer: (text: string) => void; dispose: () => void } {
  const offer = (copied: string) => {
    const text = pasteable(copied)
    const lines = linesAtRisk(text, isBracketed())
    if (lines > 0) onRisk(text, lines)
    else paste(text)
  }
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    offer(event.clipboardData?.getData('text/plain') ?? '')
  }
  element.addEventListener('paste', onPaste, true)
  return { offer, dispose: () => element.removeEventListener('paste', onPaste, true) }
}
