import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from '../process/lock.mjs'
import { runStep } from '../process/run-step.mjs'
import { hashInputs } from './hash-inputs.mjs'
import { hasStamp, writeStamp } from './stamp.mjs'

/** One a bundle; the first empties the folder. */
const configs = ['vite.config.ts', 'vite.preload.config.ts', 'vite.renderer.config.ts']

/** All that the bundles are made from. */
const inputs = ['electron', 'renderer', 'shared', 'e2e/bench', 'e2e/fixtures', 'e2e/harness.ts', 'e2e/terminal.ts', 'build', ...configs, 'package-lock.json']

const stampFile = (root) => join(root, 'dist/.paddock-build-hash')

/** The bundled command. */
export const commandFile = (root) => join(root, 'dist/paddock.cjs')

/** Whether the bundles were built from the sources as they are. */
export function isBuildCurrent(root) {
  return existsSync(commandFile(root)) && hasStamp(stampFile(root), hashInputs(root, inputs))
}

/** Builds `dist/` when its sources have changed. The builder empties the folder, and with it the stamp, first. */
export async function ensureBuild(root, lockFile) {
  if (isBuildCurrent(root)) return
  await withLock(lockFile, 'installing dependencies or building', async (lock) => {
    // Taken before the build: a file edited meanwhile makes the next run build again.
    const stamp = hashInputs(root, inputs)
    if (existsSync(commandFile(root)) && hasStamp(stampFile(root), stamp)) return
    for (const config of configs) {
      await runStep({
        title: `building Paddock (${config})`,
        why: 'its sources have changed',
        argv: [process.execPath, join(root, 'node_modules/vite/bin/vite.js'), 'build', '--config', config, '--logLevel', 'warn'],
        cwd: root,
        lock,
        isQuiet: true,
        fix: () => 'Correct the source that the message names; then run the same command again.',
      })
    }
    writeStamp(stampFile(root), stamp)
  })
}
