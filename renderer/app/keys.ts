/** What the app's own keys do. */
export type KeyCommand =
  | { kind: 'palette' }
  | { kind: 'launch' }
  | { kind: 'new-shell' }
  | { kind: 'split'; place: 'beside' | 'below' }
  | { kind: 'close-shell' }
  | { kind: 'step-terminal'; step: 1 | -1 }
  | { kind: 'tab'; index: number }
  | { kind: 'next-region' }
  | { kind: 'previous-region' }
  | { kind: 'leave' }
  | { kind: 'save' }

export interface Key {
  key: string
  ctrlKey: boolean
  shiftKey: boolean
  altKey: boolean
  metaKey: boolean
}

/** With Ctrl+Shift, which no program in a terminal can tell from Ctrl alone. */
const shellKeys: Readonly<Record<string, KeyCommand>> = {
  t: { kind: 'new-shell' },
  d: { kind: 'split', place: 'beside' },
  s: { kind: 'split', place: 'below' },
  w: { kind: 'close-shell' },
  pageup: { kind: 'step-terminal', step: -1 },
  pagedown: { kind: 'step-terminal', step: 1 },
}

/**
 * Which of the app's commands a key means, or null when it belongs to what has the focus. In a terminal Ctrl+L and Esc
 * go to the program, which needs them; Ctrl+Shift+L launches from there. Pure.
 */
export function keyCommand({ key, ctrlKey, shiftKey, altKey, metaKey }: Key, isInTerminal: boolean): KeyCommand | null {
  if (altKey || metaKey) return null
  if (key === 'F6' && !ctrlKey) return { kind: shiftKey ? 'previous-region' : 'next-region' }
  if (key === 'Escape' && !ctrlKey && !shiftKey) return isInTerminal ? null : { kind: 'leave' }
  if (!ctrlKey) return null
  const letter = key.toLowerCase()
  if (letter === 'l') return isInTerminal && !shiftKey ? null : { kind: 'launch' }
  if (shiftKey) return shellKeys[letter] ?? null
  if (letter === 'k') return { kind: 'palette' }
  if (letter === 's') return isInTerminal ? null : { kind: 'save' }
  return /^[1-9]$/.test(key) ? { kind: 'tab', index: Number(key) - 1 } : null
}
