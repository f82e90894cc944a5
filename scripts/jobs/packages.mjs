import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { say } from '../process/progress.mjs'
import { runForeground } from '../process/run-foreground.mjs'

/**
 * Makes Paddock's packages for this machine's architecture, in `release/`.
 *
 * @param {string} root with the bundles built
 * @param {string[]} args for electron-builder: names of targets, or `--dir` for the folder that the packages are made of
 * @param {NodeJS.ProcessEnv} env names the Electron runtime
 * @returns {Promise<number>} exit code
 */
export async function makePackages(root, args, env) {
  const exitCode = await runForeground(packageCommand(root, args, env.ELECTRON_OVERRIDE_DIST_PATH), { cwd: root, env })
  if (exitCode === 0) say(`what was made is in ${join(root, 'release')}`)
  return exitCode
}

/** What packs the app with the Electron runtime that lies in the folder `electron`: nothing of it is downloaded. */
export function packageCommand(root, args, electron) {
  const version = readFileSync(join(electron, 'version'), 'utf8').trim().replace(/^v/, '')
  const builder = join(root, 'node_modules/electron-builder/cli.js')
  return [process.execPath, builder, '--linux', ...args, `--config.electronDist=${electron}`, `--config.electronVersion=${version}`]
}
