import { expect, test } from 'vitest'
import { visibleRows } from './visible-rows.ts'

const view = { height: 280, rowHeight: 28, count: 300 }

test('draws what is in sight and a margin, not all', () => {
  expect(visibleRows({ ...view, scrollTop: 0 })).toEqual({ first: 0, end: 18 })
  expect(visibleRows({ ...view, scrollTop: 2800 })).toEqual({ first: 92, end: 118 })
})

test('ends at the last row', () => {
  expect(visibleRows({ ...view, scrollTop: 300 * 28 - 280 })).toEqual({ first: 282, end: 300 })
})

test('survives a list that became shorter than where it was scrolled to', () => {
  expect(visibleRows({ ...view, count: 3, scrollTop: 5000 })).toEqual({ first: 3, end: 3 })
})
