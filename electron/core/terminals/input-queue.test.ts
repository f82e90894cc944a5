import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createInputQueue, maxWaiting } from './input-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A terminal with room for so many bytes. */
function terminal(room: number) {
  const kernel = {
    room,
    text: '',
    tries: 0,
    error: null as Error | null,
    queue: createInputQueue((data) => {
      kernel.tries++
      if (kernel.error) throw kernel.error
      const taken = Math.min(kernel.room, data.length)
      kernel.room -= taken
      kernel.text += Buffer.from(data.subarray(0, taken)).toString('latin1')
      return taken
    }),
    add: (text: string) => kernel.queue.add(Buffer.from(text)),
  }
  return kernel
}

test('a key goes in at once', () => {
  const kernel = terminal(10)
  expect(kernel.add('a')).toBe(true)
  expect(kernel.text).toBe('a')
  expect(vi.getTimerCount()).toBe(0)
})

test('what finds no room goes in later, all of it and in its order', async () => {
  const kernel = terminal(2)
  const large = 'x'.repeat(50_000)
  for (const text of ['abc', 'def', large, 'ghi']) expect(kernel.add(text)).toBe(true)
  expect(kernel.text).toBe('ab')
  while (vi.getTimerCount() > 0) {
    kernel.room = 7_001
    await vi.advanceTimersToNextTimerAsync()
  }
  expect(kernel.text).toBe(`abcdef${large}ghi`)
})

test('a terminal that takes nothing is tried ten times a second in the end, and often again once it takes some', async () => {
  const kernel = terminal(0)
  kernel.add('abc')
  await vi.advanceTimersByTimeAsync(1_000)
  kernel.tries = 0
  await vi.advanceTimersByTimeAsync(10_000)
  expect(kernel.tries).toBe(100)
  kernel.room = 1
  await vi.advanceTimersToNextTimerAsync()
  expect(kernel.text).toBe('a')
  kernel.room = 2
  await vi.advanceTimersByTimeAsync(4)
  expect(kernel.text).toBe('abc')
})

test('many keys for a terminal that takes nothing cause no tries of their own', () => {
  const kernel = terminal(0)
  for (let at = 0; at < 1_000; at++) kernel.add('a')
  expect(kernel.tries).toBe(1)
})

test('beyond the bound input is dropped, and what was taken before still goes in', async () => {
  const kernel = terminal(0)
  const piece = 'x'.repeat(1_000)
  let accepted = 0
  while (kernel.add(piece)) accepted += piece.length
  expect(accepted).toBeGreaterThanOrEqual(maxWaiting)
  expect(accepted).toBeLessThan(maxWaiting + piece.length)
  expect(kernel.add('y')).toBe(false)
  kernel.room = Infinity
  await vi.runAllTimersAsync()
  expect(kernel.text).toBe('x'.repeat(accepted))
  expect(kernel.add('z')).toBe(true)
  expect(kernel.text.at(-1)).toBe('z')
})

test('a paste larger than the bound goes in whole, and not all in one turn', async () => {
  const kernel = terminal(Infinity)
  const paste = 'p'.repeat(3 * maxWaiting)
  expect(kernel.add(paste)).toBe(true)
  expect(kernel.text.length).toBeLessThanOrEqual(64 * 1024)
  await vi.runAllTimersAsync()
  expect(kernel.text).toBe(paste)
})

test('a terminal that is gone ends it: nothing waits and nothing is tried again', () => {
  const kernel = terminal(0)
  kernel.add('abc')
  kernel.error = new Error('EIO')
  vi.advanceTimersByTime(1)
  const { tries } = kernel
  expect(vi.getTimerCount()).toBe(0)
  expect(kernel.add('d')).toBe(false)
  expect(kernel.tries).toBe(tries)
})

test('a closed one forgets what waits', async () => {
  const kernel = terminal(0)
  kernel.add('abc')
  kernel.queue.close()
  kernel.room = Infinity
  await vi.runAllTimersAsync()
  expect(kernel.text).toBe('')
  expect(kernel.add('d')).toBe(false)
})
