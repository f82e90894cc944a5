import { expect, it } from 'vitest'
import { createPaintBudget } from './paint-budget.ts'

/** Painted, and shown. */
const frame = 2 * 1280 * 800
const screen = 1280 * 800

/** How many of so many strokes are let through. */
function painted(strokes: number, pixels: number, everyMs: number, screenPixels = screen): number {
  const budget = createPaintBudget()
  let count = 0
  while (count < strokes && budget.spend(pixels, screenPixels, 1_000 + count * everyMs)) count++
  return count
}

it('lets a screen be painted 60 times a second for as long as it likes', () => expect(painted(10_000, frame, 1_000 / 60)).toBe(10_000))

it('lets a large screen be painted 30 times a second', () => expect(painted(10_000, 2 * 3840 * 2160, 1_000 / 25, 3840 * 2160)).toBe(10_000))

it('lets a screen of text be painted in small strokes', () => expect(painted(100_000, 80, 0.01)).toBe(100_000))

it('ends what is painted over and over in one go', () => {
  expect(painted(5_000, screen, 0)).toBeLessThan(200)
  expect(painted(5_000, 4096 * 4096, 0, 4096 * 4096)).toBeLessThan(40)
})

it('ends strokes without end of no size', () => expect(painted(10_000_000, 0, 0)).toBeLessThan(1_000_000))
