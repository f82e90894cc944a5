import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure, Stopped } from '../process/failure.mjs'
import { runStep } from '../process/run-step.mjs'

/** A download that brings nothing for so long is given up; a slow one may take its time. */
const stallMs = 20_000

/** After a failed download the next one is not tried at every run. A new `npm ci` forgets the failure. */
const retryAfterMs = 24 * 60 * 60 * 1000

const packageFolder = (root) => join(root, 'node_modules/electron')
const failureFile = (root) => join(packageFolder(root), '.paddock-download-failed')

/** The version that package.json asks for. */
export function ownVersion(root) {
  return JSON.parse(readFileSync(join(packageFolder(root), 'package.json'), 'utf8')).version
}

/** The folder into which the electron package unpacks its own runtime, if it is complete; as its install.js judges. */
export function findOwnRuntime(root) {
  const folder = join(packageFolder(root), 'dist')
  try {
    const isComplete =
      readFileSync(join(packageFolder(root), 'path.txt'), 'utf8') === 'electron' &&
      readFileSync(join(folder, 'version'), 'utf8').replace(/^v/, '') === ownVersion(root) &&
      existsSync(join(folder, 'electron'))
    return isComplete ? folder : undefined
  } catch {
    return undefined
  }
}

/** Whether a download failed lately. */
export function hasFailedLately(root, now = Date.now()) {
  const stats = statSync(failureFile(root), { throwIfNoEntry: false })
  return stats !== undefined && now - stats.mtimeMs < retryAfterMs
}

/**
 * Lets the electron package download its runtime, which it does since version 42 at the first start only.
 *
 * @param {string} root
 * @param {number} lock descriptor of the lock on the checkout's dependencies
 * @returns {Promise<boolean>} whether it is there now
 */
export async function downloadOwnRuntime(root, lock) {
  // The download lands in the temporary folder, so a folder of its own shows whether it goes on.
  const temporary = mkdtempSync(join(tmpdir(), 'paddock-electron-'))
  const growth = watchGrowth([temporary, join(packageFolder(root), 'dist')], stallMs)
  const hasProxy = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].some((name) => process.env[name])
  try {
    await runStep({
      title: `downloading Electron ${ownVersion(root)}`,
      why: 'the window and its tests run on it',
      argv: [process.execPath, join(packageFolder(root), 'install.js')],
      env: {
        ...(hasProxy ? { ELECTRON_GET_USE_PROXY: 'true' } : {}),
        ...process.env,
        ELECTRON_GET_NO_PROGRESS: '1',
        TMPDIR: temporary,
      },
      lock,
      abort: growth.hasStalled,
      isQuiet: true,
    })
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof Stopped) throw error
    writeFileSync(failureFile(root), '')
  } finally {
    growth.end()
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
  }
  return findOwnRuntime(root) !== undefined
}

/** @returns {{ hasStalled: AbortSignal, end(): void }} `hasStalled` fires when the folders have not grown for `limitMs` */
export function watchGrowth(folders, limitMs) {
  const controller = new AbortController()
  let size = 0
  let grownAt = Date.now()
  const timer = setInterval(
    () => {
      const now = folders.reduce((total, folder) => total + sizeOf(folder), 0)
      if (now !== size) [size, grownAt] = [now, Date.now()]
      else if (Date.now() - grownAt >= limitMs) controller.abort()
    },
    Math.min(1000, limitMs / 4),
  )
  return { hasStalled: controller.signal, end: () => clearInterval(timer) }
}

function sizeOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true }).reduce(
      (total, entry) => total + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
      0,
    )
  } catch {
    // Not there yet, or being changed while we look: the next look tells.
    return 0
  }
}
