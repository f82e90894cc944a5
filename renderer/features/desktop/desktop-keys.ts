import { keysyms } from '../../../shared/domain/keysyms.ts'

export interface KeyEvents {
  /** Text that no single key stands for: of an input method, a dead key, or what the system put in. */
  onText(text: string): void
  /** The keys for pasting: the desktop has to get the clipboard before it gets them. */
  onPaste(keysym: number, code: string): void
  /** The keys that give the keyboard back. */
  onRelease(): void
  /** The keys go elsewhere: those that are down would stay down. */
  onLeave(): void
}

/** Which keys give the keyboard back to the window, as in other viewers of desktops. */
export const releaseKeys = 'Shift+F12'

/** Sees the keys before noVNC does. @returns what ends it */
export function watchKeys(keys: HTMLTextAreaElement, { onText, onPaste, onRelease, onLeave }: KeyEvents): () => void {
  const take = (event: Event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'F12' && event.shiftKey && !event.ctrlKey && !event.altKey) {
      take(event)
      keys.blur()
      return onRelease()
    }
    const keysym = pasteKeysym(event)
    if (keysym !== null && !event.repeat) {
      take(event)
      return onPaste(keysym, event.code)
    }
    // They begin a character that comes whole; as keys of their own they would come twice.
    if (event.isComposing || event.key === 'Process' || event.key === 'Dead') event.stopImmediatePropagation()
  }
  const onCompositionEnd = ({ data }: CompositionEvent) => {
    keys.value = ''
    if (data) onText(data)
  }
  const onInput = (event: Event) => {
    const { isComposing, data, inputType } = event as InputEvent
    if (isComposing || inputType === 'insertCompositionText') return
    keys.value = ''
    if (data) onText(data)
  }
  keys.addEventListener('keydown', onKeyDown, true)
  keys.addEventListener('compositionend', onCompositionEnd)
  keys.addEventListener('input', onInput)
  keys.addEventListener('blur', onLeave)
  return () => {
    keys.removeEventListener('keydown', onKeyDown, true)
    keys.removeEventListener('compositionend', onCompositionEnd)
    keys.removeEventListener('input', onInput)
    keys.removeEventListener('blur', onLeave)
  }
}

/** Ctrl+V, Ctrl+Shift+V or Shift+Insert, which programs paste at. Pure. */
export function pasteKeysym({ key, code, ctrlKey, shiftKey, altKey, metaKey }: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>): number | null {
  if (altKey || metaKey) return null
  if (ctrlKey && key.toLowerCase() === 'v') return key.charCodeAt(0)
  // A layout of other letters has it where the Latin one of the same keyboard has it.
  const isOtherLetter = key.length === 1 && key > '\u007f'
  if (ctrlKey && code === 'KeyV' && isOtherLetter) return (shiftKey ? 'V' : 'v').charCodeAt(0)
  return shiftKey && !ctrlKey && key === 'Insert' ? keysyms.insert : null
}
