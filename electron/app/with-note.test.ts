import { expect, test } from 'vitest'
import { withNote } from './with-note.ts'

const done = { name: 'web', notes: ['It was the base of shop.'] }

test('what failed behind a change that worked is a note of it', async () => {
  const full = Promise.reject(new Error('No space left on device.'))
  expect(await withNote(done, 'What was not saved stays under the old name', full)).toEqual({
    name: 'web', notes: ['It was the base of shop.', 'What was not saved stays under the old name: No space left on device.'],
  })
})

test('where nothing failed nothing is added', async () => {
  expect(await withNote(done, 'x', Promise.resolve())).toEqual(done)
})
