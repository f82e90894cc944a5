import { expect, it } from 'vitest'
import { createTextBudget } from './text-budget.ts'

const greatest = 1024 * 1024

it('lets a person copy large texts one after the other', () => {
  const budget = createTextBudget()
  for (let at = 0; at < 100; at++) expect(budget.spend(greatest, at * 300)).toBe(true)
})

it('ends large texts that come at once', () => {
  const budget = createTextBudget()
  const spent = Array.from({ length: 5 }, () => budget.spend(greatest, 1_000))
  expect(spent).toEqual([true, true, true, false, false])
})

it('ends messages without a text that come without end, and not those of a busy program', () => {
  const busy = createTextBudget()
  for (let at = 0; at < 5_000; at++) expect(busy.spend(0, at * 2)).toBe(true)
  const flood = createTextBudget()
  expect(Array.from({ length: 2_000 }, () => flood.spend(0, 1_000)).at(-1)).toBe(false)
})
