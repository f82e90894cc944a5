import { expect, it } from 'vitest'
import { applyEdits } from './containerfile/edit.ts'
import { differenceOf } from './text-difference.ts'

it.each([
  ['FROM a\nRUN b\n', 'FROM a\nRUN c\n', 'c'],
  ['aaa', 'aaaa', 'a'],
  ['abc', 'ac', ''],
  ['', 'FROM a', 'FROM a'],
  ['FROM a', '', ''],
])('%j becomes %j by one edit of what differs', (before, after, text) => {
  const edit = differenceOf(before, after)!
  expect(edit.text).toBe(text)
  expect(applyEdits(before, [edit])).toBe(after)
})

it('two that are the same need none', () => {
  expect(differenceOf('a', 'a')).toBeNull()
})
