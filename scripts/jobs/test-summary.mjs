/**
 * @typedef {{ name: string, exitCode: number, durationMs: number, counts?: { passed: number, failed: number, skipped: number } }} Result
 */

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
