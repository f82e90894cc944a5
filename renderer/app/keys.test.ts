import { expect, test } from 'vitest'
import { keyCommand } from './keys.ts'

const press = (keys: string) => {
  const parts = keys.split('+')
  return { key: parts.at(-1)!, ctrlKey: parts.includes('Ctrl'), shiftKey: parts.includes('Shift'), altKey: parts.includes('Alt'), metaKey: false }
}

test.each([
  ['Ctrl+k', { kind: 'palette' }],
  ['Ctrl+l', { kind: 'launch' }],
  ['Ctrl+s', { kind: 'save' }],
  ['Ctrl+3', { kind: 'tab', index: 2 }],
  ['F6', { kind: 'next-region' }],
  ['Shift+F6', { kind: 'previous-region' }],
  ['Escape', { kind: 'leave' }],
])('%s means something outside of a terminal', (keys, command) => {
  expect(keyCommand(press(keys), false)).toEqual(command)
})

test.each(['Ctrl+l', 'Ctrl+s', 'Escape', 'Ctrl+c', 'Ctrl+r', 'Alt+1', 'F1', 'k', 'Ctrl+0', 'Ctrl+Shift+k', 'Ctrl+d', 'Ctrl+w', 'Ctrl+PageUp', 'Shift+PageUp', 'Alt+ArrowLeft'])('%s stays with the program in a terminal', (keys) => {
  expect(keyCommand(press(keys), true)).toBeNull()
})

test.each([
  ['Ctrl+k', { kind: 'palette' }],
  ['Ctrl+Shift+L', { kind: 'launch' }],
  ['Ctrl+Shift+T', { kind: 'new-shell' }],
  ['Ctrl+Shift+D', { kind: 'split', place: 'beside' }],
  ['Ctrl+Shift+S', { kind: 'split', place: 'below' }],
  ['Ctrl+Shift+W', { kind: 'close-shell' }],
  ['Ctrl+Shift+PageDown', { kind: 'step-terminal', step: 1 }],
  ['Ctrl+Shift+PageUp', { kind: 'step-terminal', step: -1 }],
  ['Ctrl+1', { kind: 'tab', index: 0 }],
  ['F6', { kind: 'next-region' }],
])('%s is the app’s own in a terminal, too', (keys, command) => {
  expect(keyCommand(press(keys), true)).toEqual(command)
})
