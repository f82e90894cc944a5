import { join } from 'node:path'
import { say } from '../process/progress.mjs'
import { runForeground } from '../process/run-foreground.mjs'

/**
 * Runs the tests that only root can run: that a label's limits really stop a hog, on hosts where a rootless Podman cannot
 * enforce them. Only in CI, because root runs files there that the account may write.
 *
 * @param {string} mirror the account's copy of the checkout, installed, built and with the minimal image made
 * @param {{ name: string }} account
 * @returns {Promise<number>} exit code
 */
export async function runRootTests(mirror, account) {
  if (process.env.CI !== 'true') {
    say('not run: the tests of memory and process limits as root; they run where CI=true')
    return 0
  }
  process.stdout.write('\n== limits, as root\n')
  const vitest = join(mirror, 'node_modules/vitest/vitest.mjs')
  const config = join(mirror, 'e2e/root/vitest.config.ts')
  // The runner reads the configuration without a compiled copy of it beside it.
  return runForeground([process.execPath, vitest, 'run', '--configLoader', 'runner', '--config', config], {
    cwd: mirror,
    env: { ...process.env, PADDOCK_ACCOUNT: account.name },
  })
}
