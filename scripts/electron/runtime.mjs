import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../process/failure.mjs'
import { withLock } from '../process/lock.mjs'
import { say } from '../process/progress.mjs'
import { demandStarts } from './demand-starts.mjs'
import { ensureFallback, sayFallback } from './fallback.mjs'
import { fallback, fallbackFolder, isFallbackCurrent } from './fallback-files.mjs'
import { downloadOwnRuntime, findOwnRuntime, hasFailedLately, ownVersion } from './own-runtime.mjs'

/**
 * The Electron runtime that is there, and nothing is changed: the person's own choice, the electron package's, or the
 * fallback.
 *
 * @param {string} root
 * @param {import('../host/toolchain-files.mjs').HostPaths} paths
 * @returns {string | undefined} its folder, which holds the program `electron`
 */
export function findElectron(root, paths, environment = process.env) {
  const chosen = environment.ELECTRON_OVERRIDE_DIST_PATH
  if (chosen) return existsSync(join(chosen, 'electron')) ? chosen : undefined
  const own = findOwnRuntime(root)
  if (own) return own
  return isFallbackCurrent(fallbackFolder(paths)) ? fallbackFolder(paths) : undefined
}

/** What the electron package and Playwright must know to start the runtime in `folder`. */
export function electronEnvironment(folder) {
  return { ELECTRON_OVERRIDE_DIST_PATH: folder }
}

/**
 * Makes sure that an Electron runtime is there: Electron's own, or, where that cannot be downloaded, the fallback.
 *
 * @param {string} root with the dependencies installed
 * @param {import('../host/toolchain-files.mjs').HostPaths} paths
 * @param {string} lockFile of the checkout's dependencies
 * @returns {Promise<string>} its folder
 * @throws {Failure}
 */
export async function ensureElectron(root, paths, lockFile) {
  const folder = await ensureRuntime(root, paths, lockFile)
  sayIfSandboxIsForbidden(folder)
  return folder
}

async function ensureRuntime(root, paths, lockFile) {
  const chosen = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (chosen) {
    if (findElectron(root, paths)) return chosen
    throw new Failure('there is no Electron where ELECTRON_OVERRIDE_DIST_PATH points', {
      why: `${chosen} holds no program named "electron" that this account can see.`,
      fix: 'Let it name the folder of an unpacked Electron, or leave it out.',
    })
  }
  const own = findOwnRuntime(root) ?? (await downloadInTurn(root, lockFile))
  if (own) return own
  if (process.arch !== fallback.arch) {
    throw new Failure(`Electron ${ownVersion(root)} could not be downloaded`, {
      why: `its download did not answer, and there is no fallback for ${process.arch}.`,
      fix: 'Name a mirror with ELECTRON_MIRROR, or get Electron yourself and name its folder with ELECTRON_OVERRIDE_DIST_PATH.',
    })
  }
  const folder = await ensureFallback(paths, `Electron ${ownVersion(root)} cannot be downloaded here`)
  sayFallback(ownVersion(root))
  return folder
}

async function downloadInTurn(root, lockFile) {
  if (hasFailedLately(root)) return undefined
  return withLock(lockFile, 'installing dependencies or building', async (lock) => {
    const own = findOwnRuntime(root)
    if (own) return own
    if (hasFailedLately(root) || !(await downloadOwnRuntime(root, lock))) return undefined
    const folder = findOwnRuntime(root)
    demandStarts(folder)
    return folder
  })
}

/** Ubuntu since 23.10: without a user namespace Chromium's sandbox needs its set-user-id helper. */
function sayIfSandboxIsForbidden(folder) {
  const helper = join(folder, 'chrome-sandbox')
  if (!isUsernsRestricted() || !existsSync(helper)) return
  const { uid, mode } = statSync(helper)
  if (uid === 0 && (mode & 0o4000) !== 0) return
  say(
    `AppArmor allows user namespaces to known programs only, so Chromium’s sandbox cannot start. Run as root: chown root:root ${helper} && chmod 4755 ${helper}`,
  )
}

function isUsernsRestricted() {
  try {
    return readFileSync('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', 'utf8').trim() === '1'
  } catch {
    return false
  }
}
