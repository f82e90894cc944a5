import { expect, it } from 'vitest'
import { describeResults, totalLine } from './test-summary.mjs'

const results = [
  { name: 'lint', exitCode: 1, durationMs: 1234 },
  { name: 'unit', exitCode: 0, durationMs: 2000, counts: { passed: 10, failed: 0, skipped: 1 } },
  { name: 'e2e', exitCode: 1, durationMs: 100, counts: { passed: 2, failed: 3, skipped: 0 } },
  { name: 'integration', exitCode: 1, durationMs: 0 },
]

it('tells each part, with a failure that no test accounts for', () => {
  expect(describeResults(results)).toBe(
    [
      'FAILED  lint         1.2 s  exit code 1',
      'ok      unit         2.0 s  10 passed, 0 failed, 1 skipped',
      'FAILED  e2e          0.1 s  2 passed, 3 failed',
      'FAILED  integration  0.0 s  exit code 1',
    ].join('\n'),
  )
})

it('counts tests only', () => {
  expect(totalLine(results)).toBe('12 passed, 3 failed')
})
