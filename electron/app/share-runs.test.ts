import { expect, it } from 'vitest'
import { shareRuns } from './share-runs.ts'

function counted() {
  const runs: { end: (value: string) => void; fail: (error: Error) => void }[] = []
  return { runs, ask: shareRuns(() => new Promise<string>((end, fail) => runs.push({ end, fail }))) }
}

it('answers who asks while it runs with one more run, which they share', async () => {
  const { runs, ask } = counted()
  const first = ask()
  const others = [ask(), ask(), ask()]
  expect(runs).toHaveLength(1)
  runs[0]!.end('old')
  expect(await first).toBe('old')
  await expect.poll(() => runs.length).toBe(2)
  runs[1]!.end('new')
  expect(await Promise.all(others)).toEqual(['new', 'new', 'new'])
})

it('goes on after a failure, which only its own askers hear of', async () => {
  const { runs, ask } = counted()
  const first = ask()
  const second = ask()
  runs[0]!.fail(new Error('broken'))
  await expect(first).rejects.toThrow('broken')
  await expect.poll(() => runs.length).toBe(2)
  runs[1]!.end('whole')
  expect(await second).toBe('whole')
  const third = ask()
  expect(runs).toHaveLength(3)
  runs[2]!.end('again')
  expect(await third).toBe('again')
})
