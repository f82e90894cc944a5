import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Failure } from '../process/failure.mjs'

/**
 * Starts the runtime once without a window.
 *
 * @param {string} folder the one that holds `electron`
 * @throws {Failure} with what it said; usually a shared library is missing
 */
export function demandStarts(folder) {
  const result = spawnSync(join(folder, 'electron'), ['--print', 'process.versions.electron'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    encoding: 'utf8',
    timeout: 30_000,
  })
  if (result.status === 0) return
  throw new Failure('Electron does not start', {
    why: (result.error?.message ?? result.stderr.trim()) || `it ended with ${result.signal ?? result.status}`,
    fix: 'If a shared library is missing, install the package that brings it; then run the same command again.',
  })
}
