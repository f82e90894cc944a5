import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBatch } from './batch.ts'

const collect = () => {
  const given: string[] = []
  return { given, batch: createBatch((data) => given.push(Buffer.from(data).toString())) }
}

test('what is read in one turn is handed on as one, in its order', async () => {
  const { given, batch } = collect()
  for (const text of ['one ', 'two ', 'three']) batch.add(Buffer.from(text))
  expect(given).toEqual([])
  await turn()
  expect(given).toEqual(['one two three'])
})

test('a flush hands on what is held, once', async () => {
  const { given, batch } = collect()
  batch.add(Buffer.from('last words'))
  batch.flush()
  batch.flush()
  await turn()
  expect(given).toEqual(['last words'])
})

test('a flood is handed on before the turn ends, so that its reader can pause it', () => {
  const { given, batch } = collect()
  for (let at = 0; at < 40; at++) batch.add(Buffer.alloc(4096, 'x'))
  expect(given.map(({ length }) => length)).toEqual([65_536, 65_536])
})
