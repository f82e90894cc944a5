import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { settled } from './settled.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('acts once for all that ask within a moment', () => {
  const act = vi.fn()
  const { soon } = settled(act, () => false)
  soon()
  vi.advanceTimersByTime(30)
  soon()
  vi.advanceTimersByTime(49)
  expect(act).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(act).toHaveBeenCalledTimes(1)
  soon()
  vi.advanceTimersByTime(50)
  expect(act).toHaveBeenCalledTimes(2)
})

it('waits for what it would make slower, but not for ever', () => {
  const act = vi.fn()
  let isBusy = true
  const { soon } = settled(act, () => isBusy)
  soon()
  vi.advanceTimersByTime(500)
  expect(act).not.toHaveBeenCalled()
  isBusy = false
  vi.advanceTimersByTime(50)
  expect(act).toHaveBeenCalledTimes(1)
  isBusy = true
  soon()
  vi.advanceTimersByTime(2_100)
  expect(act).toHaveBeenCalledTimes(2)
})

it('does nothing after it was closed', () => {
  const act = vi.fn()
  const settling = settled(act, () => false)
  settling.soon()
  settling.close()
  settling.soon()
  vi.advanceTimersByTime(1_000)
  expect(act).not.toHaveBeenCalled()
})

it('is not put off by who asks again and again', () => {
  const act = vi.fn()
  const { soon } = settled(act, () => false)
  for (let ms = 0; ms < 3_000; ms += 40) {
    soon()
    vi.advanceTimersByTime(40)
  }
  expect(act).toHaveBeenCalled()
})

it('acts at the sooner of two times', () => {
  const act = vi.fn()
  const { soon } = settled(act, () => false)
  soon()
  soon(1_000)
  vi.advanceTimersByTime(50)
  expect(act).toHaveBeenCalledTimes(1)
  soon(1_000)
  soon()
  vi.advanceTimersByTime(50)
  expect(act).toHaveBeenCalledTimes(2)
})
