import { expect, it } from 'vitest'
import { freeName } from './free-name.ts'

it.each([
  ['src', [], 'src'],
  ['src', ['src'], 'src (2)'],
  ['a.tar.gz', ['a.tar.gz', 'a.tar (2).gz'], 'a.tar (3).gz'],
  ['.config', ['.config'], '.config (2)'],
])('of %s with %j taken it makes %s', async (name, taken, free) => {
  expect(await freeName(name, async (one) => taken.includes(one))).toBe(free)
})
