import { basename } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/**
 * @typedef {{ file: string, test: string, message: string }} Failure a test, or a file that could not be run at all
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ name: string, exitCode: number, durationMs: number, counts?: Counts, failures?: Failure[], secondTries?: Failure[] }} Result
 */

/** Where only the end of a long log is kept, this much of a failure has to tell what went wrong. */
const lineLimit = 240

/** What vitest's JSON report says; a test that passed with an error had it in its first try. @returns {{ counts: Counts, failures: Failure[], secondTries: Failure[] }} */
export function readReport(report) {
  return {
    counts: {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    },
    failures: report.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const file = basename(name)
      const failed = assertionResults.filter((test) => test.status === 'failed')
      if (failed.length > 0) return failed.map((test) => toFailure(file, test))
      return status === 'failed' ? [{ file, test: '', message: message ?? '' }] : []
    }),
    secondTries: report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.filter((test) => test.status === 'passed' && test.failureMessages.length > 0).map((test) => toFailure(basename(name), test)),
    ),
  }
}

const toFailure = (file, { fullName, failureMessages }) => ({ file, test: fullName, message: failureMessages[0] ?? '' })

/** A line for each test that failed, or failed first, once more at the end, with the first line of its error. @param {Result[]} results */
export function describeFailures(results) {
  const failed = results.flatMap(({ failures = [] }) => failures).map(describeFailure)
  const failedFirst = results.flatMap(({ secondTries = [] }) => secondTries).map((failure) => `passed at the second try: ${describeFailure(failure)}`)
  return [...failedFirst, ...failed].map((line) => line.slice(0, lineLimit)).join('\n')
}

const describeFailure = ({ file, test, message }) => [file, test, stripVTControlCharacters(message).trim().split('\n')[0]].filter(Boolean).join(' > ')

/** A line for each part. A part can fail with no failed test: lint, types, or a runner that broke. @param {Result[]} results */
export function describeResults(results) {
  const width = Math.max(...results.map(({ name }) => name.length))
  return results
    .map(({ name, exitCode, durationMs, counts }) =>
      `${exitCode === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(width)}  ${(durationMs / 1000).toFixed(1)} s  ${describeCounts(exitCode, counts)}`.trimEnd(),
    )
    .join('\n')
}

function describeCounts(exitCode, counts) {
  if (!counts) return exitCode === 0 ? '' : `exit code ${exitCode}`
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  return `${counts.passed} passed, ${counts.failed} failed${skipped}`
}

/** `N passed, N failed` over all suites; lint and types are no tests. @param {Result[]} results */
export function totalLine(results) {
  const sum = (key) => results.reduce((total, { counts }) => total + (counts?.[key] ?? 0), 0)
  return `${sum('passed')} passed, ${sum('failed')} failed`
}
