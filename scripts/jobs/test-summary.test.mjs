import { expect, it } from 'vitest'
import { describeFailures, describeResults, readReport, totalLine } from './test-summary.mjs'

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

it('tells each test again that failed, even if only first, and a file that could not be run, by its name and its first line', () => {
  const { counts, failures, secondTries } = readReport({
    numPassedTests: 1,
    numFailedTests: 1,
    numPendingTests: 2,
    testResults: [
      {
        name: '/project/e2e/window.e2e.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'the window opens', failureMessages: [] },
          { status: 'failed', fullName: 'the window closes', failureMessages: ['\u001b[31mError\u001b[39m: still open\n    at window.ts:1'] },
        ],
      },
      { name: '/project/e2e/broken.e2e.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
      { name: '/project/e2e/late.e2e.ts', status: 'passed', message: '', assertionResults: [{ status: 'passed', fullName: 'it answers', failureMessages: ['Error: too late\n    at late.ts:1'] }] },
    ],
  })
  expect(counts).toEqual({ passed: 1, failed: 1, skipped: 2 })
  const lines = describeFailures([...results, { name: 'window', exitCode: 1, durationMs: 1, counts, failures, secondTries }]).split('\n')
  expect(lines).toEqual(['passed at the second try: late.e2e.ts > it answers > Error: too late', 'window.e2e.ts > the window closes > Error: still open', 'broken.e2e.ts > Cannot find module'])
})

it('keeps the line of a failure short', () => {
  const failures = [{ file: 'a.e2e.ts', test: 'x'.repeat(1000), message: '' }]
  expect(describeFailures([{ name: 'e2e', exitCode: 1, durationMs: 1, failures }])).toHaveLength(240)
})
