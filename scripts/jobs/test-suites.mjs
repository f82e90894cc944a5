import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stopped } from '../process/failure.mjs'
import { runInTurn } from '../process/run-foreground.mjs'
import { describeResults, totalLine } from './test-summary.mjs'

const bin = {
  eslint: 'node_modules/eslint/bin/eslint.js',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
}

/**
 * Runs lint, type check and the three suites one after the other, all of them even if one fails, and prints one
 * summary whose last line counts the tests.
 *
 * @param {string} root
 * @param {string[]} args for the test runner only
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} 0 when everything passed
 * @throws {Stopped} when a signal came; the rest is not run then
 */
export async function runTests(root, args, env) {
  const reports = mkdtempSync(join(tmpdir(), 'paddock-tests-'))
  try {
    const results = []
    const step = async (name, argv, report) => {
      process.stdout.write(`\n== ${name}\n`)
      const startedAt = Date.now()
      const { exitCode, signal } = await runInTurn([process.execPath, ...argv], { cwd: root, env })
      if (signal) throw new Stopped(`running ${name}`, signal)
      results.push({
        name,
        exitCode,
        durationMs: Date.now() - startedAt,
        ...(report ? { counts: readCounts(report) } : {}),
      })
    }
    await step('lint', [bin.eslint, '.'])
    await step('types', [bin.tsc, '--noEmit'])
    // The page and its bridge know the DOM, and nothing else does.
    await step('types of the bridge', [bin.tsc, '--noEmit', '-p', 'electron/tsconfig.preload.json'])
    await step('types of the page', [bin.tsc, '--noEmit', '-p', 'renderer'])
    for (const project of ['unit', 'integration', 'e2e']) {
      const report = join(reports, `${project}.json`)
      // A filter may well match nothing in one of the suites; without one an empty suite is a mistake.
      const filter = args.length > 0 ? ['--passWithNoTests', ...args] : []
      await step(
        project,
        [
          bin.vitest,
          'run',
          '--project',
          project,
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${report}`,
          ...filter,
        ],
        report,
      )
    }
    process.stdout.write(`\n${describeResults(results)}\n${totalLine(results)}\n`)
    return results.every(({ exitCode }) => exitCode === 0) ? 0 : 1
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}

function readCounts(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    }
  } catch {
    return undefined
  }
}
