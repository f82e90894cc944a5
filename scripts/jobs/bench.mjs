import { join } from 'node:path'
import { hasDisplay, startVirtualDisplay } from '../electron/display.mjs'
import { runForeground } from '../process/run-foreground.mjs'

/**
 * Runs the benchmarks; where there is no display their windows open on a virtual one.
 *
 * @param {string} root
 * @param {string[]} args names of benchmarks; none means all
 * @param {NodeJS.ProcessEnv} env names the Electron runtime
 * @returns {Promise<number>} exit code
 */
export async function runBench(root, args, env) {
  const display = hasDisplay(env) ? null : await startVirtualDisplay()
  try {
    const command = [process.execPath, join(root, 'dist/bench.cjs'), ...args]
    return await runForeground(command, { cwd: root, env: { ...env, ...display?.environment } })
  } finally {
    await display?.stop()
  }
}
