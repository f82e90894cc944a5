import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stopped } from '../process/failure.mjs'
import { runInTurn } from '../process/run-foreground.mjs'
import { commandFile } from '../project/build.mjs'
import { describeFailures, describeResults, readReport, totalLine } from './test-summary.mjs'

const bin = {
  eslint: 'node_modules/eslint/bin/eslint.js',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
}

/**
 * Runs lint, type check and the suites, all of them even if one fails, and prints one summary whose last line counts the
 * tests.
 *
 * @param {string} root
 * @param {string[]} args for the test runner only
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} 0 when everything passed
 * @throws {Stopped} when a signal came; the rest is not run then
 */
export async function runTests(root, args, env) {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-tests-'))
  const reportOf = (suite) => join(folder, `${suite}.json`)
  try {
    const results = []
    const step = async (name, argv, { report, output } = {}) => {
      const startedAt = Date.now()
      const { exitCode, signal } = await runInTurn([process.execPath, ...argv], { cwd: root, env, output })
      if (signal) throw new Stopped(`running ${name}`, signal)
      results.push({ name, exitCode, durationMs: Date.now() - startedAt, ...(report && readResults(report)) })
    }
    const suite = (name, output) => step(name, suiteCommand(name, reportOf(name), args), { report: reportOf(name), output })
    const inTurn = async (name, run) => {
      announce(name)
      await run()
    }
    await inTurn('lint', () => step('lint', [bin.eslint, '.']))
    await inTurn('types', () => step('types', [bin.tsc, '--noEmit']))
    // The page and its bridge know the DOM, and nothing else does.
    await inTurn('types of the bridge', () => step('types of the bridge', [bin.tsc, '--noEmit', '-p', 'electron/tsconfig.preload.json']))
    await inTurn('types of the page', () => step('types of the page', [bin.tsc, '--noEmit', '-p', 'renderer']))
    await inTurn('unit', () => suite('unit'))
    // Fails loudly where there is no working Podman, and mends one whose processes were all killed.
    await inTurn('podman', () => step('podman', [commandFile(root), 'ls']))
    await inTurn('integration', () => suite('integration'))
    // Both mostly wait: for sandboxes, and for a window.
    announce('window; e2e runs beside it, and is told after it')
    await printingAfter(join(folder, 'e2e.log'), (output) => inParallel([suite('window'), suite('e2e', output)]))
    process.stdout.write(`\n${[describeResults(results), describeFailures(results), totalLine(results)].filter(Boolean).join('\n')}\n`)
    return results.every(({ exitCode }) => exitCode === 0) ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const announce = (name) => void process.stdout.write(`\n== ${name}\n`)

function suiteCommand(project, report, args) {
  // A filter may well match nothing in one of the suites; without one an empty suite is a mistake.
  const filter = args.length > 0 ? ['--passWithNoTests', ...args] : []
  return [bin.vitest, 'run', '--project', project === 'unit' ? 'unit*' : project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...filter]
}

/** Waits for both, also when one throws: neither is left running behind the person's back. */
async function inParallel(runs) {
  const failed = (await Promise.allSettled(runs)).find(({ status }) => status === 'rejected')
  if (failed) throw failed.reason
}

/** Gives a program's output a file, and prints it when all is over. */
async function printingAfter(file, run) {
  const output = openSync(file, 'w')
  try {
    await run(output)
  } finally {
    closeSync(output)
    process.stdout.write(`\n== e2e\n${readFileSync(file, 'utf8')}`)
  }
}

function readResults(file) {
  try {
    return readReport(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}
