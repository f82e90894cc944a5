/** The way between the desktop's clipboard and the person's. */
export interface DesktopClipboard {
  /** Something was copied in the desktop; hostile text. */
  take(text: string): void
  /** What the person would paste; null when it is no text, or more than a desktop takes. */
  read(): Promise<string | null>
  end(): void
}

const maxCharacters = 1024 * 1024
/** A sandbox that copies without end. */
const writeEveryMs = 300

/**
 * What is copied in the desktop is the person's only while their keys go there; and what they copied elsewhere goes in only when
 * they paste, since a password may be among it. @param keys has the focus then
 */
export function followClipboard(keys: HTMLElement): DesktopClipboard {
  let pending: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = () => {
    timer = undefined
    const text = pending
    pending = null
    if (text === null) return
    timer = setTimeout(write, writeEveryMs)
    if (document.activeElement === keys && document.hasFocus()) navigator.clipboard.writeText(text).catch(() => {})
  }
  return {
    take(text) {
      if (text.length > maxCharacters) return
      pending = text
      if (timer === undefined) write()
    },
    async read() {
      const text = await navigator.clipboard.readText().catch(() => '')
      return text === '' || text.length > maxCharacters ? null : text
    },
    end: () => clearTimeout(timer),
  }
}
