import { expect, it } from 'vitest'
import { plain, plainLines } from './plain-text.ts'

const hostile = 'a\tb\r\nc\u001b[31m\u202etxt\u0000\rd'

it('leaves no control character in a line, and nothing that hides', () => {
  expect(plain(hostile)).toBe('a\\x09b\\x0d\\x0ac\\x1b[31m\\u202etxt\\x00\\x0dd')
})

it('keeps the lines and tabs of a text, whatever ends its lines', () => {
  expect(plainLines(hostile)).toBe('a\tb\nc\\x1b[31m\\u202etxt\\x00\\x0dd')
})
