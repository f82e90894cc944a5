import { expect, test, vi } from 'vitest'
import type { Progress } from '../../shared/contract/contract.ts'
import { addProgress, collectProgress, endWork, maxLogLines, startWork } from './work.ts'

const line = (text: string): Progress => ({ kind: 'log', text })

test('steps, log and warnings are kept apart and in order', () => {
  const work = addProgress(startWork(0), [{ kind: 'step', text: 'one' }, line('a'), { kind: 'warning', text: 'w' }, line('b'), { kind: 'step', text: 'two' }])
  expect(work).toMatchObject({ steps: ['one', 'two'], log: ['a', 'b'], warnings: ['w'] })
})

test('a log that never ends keeps its end and counts what it dropped', () => {
  const work = addProgress(addProgress(startWork(0), [line('first')]), Array.from({ length: maxLogLines }, (_, at) => line(String(at))))
  expect(work.log).toHaveLength(maxLogLines)
  expect(work.log.at(-1)).toBe(String(maxLogLines - 1))
  expect(work.droppedLines).toBe(1)
})

test('a cancelled build is no failure, whatever error it ended with', () => {
  const error = { code: 'podman-failed' as const, message: 'killed' }
  expect(endWork({ ...startWork(0), status: 'cancelling' }, 5, error)).toMatchObject({ status: 'cancelled', error: null, endedAt: 5 })
  expect(endWork(startWork(0), 5, error)).toMatchObject({ status: 'failed', error })
})

test('a flood of lines is delivered in few pieces, and flush delivers the rest', () => {
  vi.useFakeTimers()
  try {
    const pieces: Progress[][] = []
    const progress = collectProgress((news) => pieces.push(news))
    for (let at = 0; at < 1000; at++) progress.add(line(String(at)))
    expect(pieces).toEqual([])
    vi.advanceTimersByTime(100)
    expect(pieces).toHaveLength(1)
    progress.add(line('last'))
    progress.flush()
    expect(pieces.flat()).toHaveLength(1001)
  } finally {
    vi.useRealTimers()
  }
})
