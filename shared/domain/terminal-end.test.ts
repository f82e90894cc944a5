import { expect, it } from 'vitest'
import { endInWords, partingWords } from './terminal-end.ts'

it.each([
  [3, false, true, 'Ended with exit code 3'],
  [0, true, false, 'Ended with exit code 0'],
  [null, true, true, 'The terminal was lost, but the sandbox still runs'],
  [null, false, true, 'The terminal was lost'],
  [null, true, false, 'The terminal was lost; whether the sandbox still runs is not known'],
])('exit code %s, still running %s, connected %s: %s', (exitCode, isStillRunning, isConnected, words) => {
  expect(endInWords(exitCode, isStillRunning, isConnected)).toBe(words)
})

it('tells who left a sandbox that it runs on, or that it was stopped, and nothing of an end of their own', () => {
  expect(partingWords('3f2a'.repeat(16), 0)).toContain('sandbox 3f2a3f2a3f2a runs on')
  expect([129, 137, 143].map((code) => partingWords(null, code))).toEqual(['SIGHUP', 'SIGKILL', 'SIGTERM'].map((name) => `The sandbox was stopped (${name}).`))
  expect([0, 1, 130, 127].map((code) => partingWords(null, code))).toEqual([null, null, null, null])
})
