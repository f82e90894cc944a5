import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  closeSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Failure, Stopped } from '../process/failure.mjs'
import { withLock } from '../process/lock.mjs'
import { say } from '../process/progress.mjs'
import { ask } from '../process/run-step.mjs'
import { pickAptSettings, readAptSources } from './apt-sources.mjs'
import { extractPackages } from './extract-packages.mjs'
import {
  containersConf,
  isToolchainCurrent,
  linkedPrograms,
  podmanWrapper,
  recipeVersion,
  stampFile,
} from './toolchain-files.mjs'
import { toolchainSource } from './toolchain-source.mjs'

/**
 * Makes the private Podman unless a current one is there. Needs no root. It is built beside its place and moved there
 * in one step; until the stamp is written it counts as not made.
 *
 * @param {import('./distribution.mjs').Distribution} distribution
 * @param {import('./toolchain-files.mjs').HostPaths} paths
 * @param {boolean} [isRenewal] build it even if it is current, to get the archive's newest packages
 */
export async function ensureToolchain(distribution, paths, isRenewal = false) {
  if (isToolchainCurrent(paths.toolchain) && !isRenewal) return
  await withLock(join(paths.locks, 'toolchain'), 'making the private Podman', async () => {
    if (isToolchainCurrent(paths.toolchain) && !isRenewal) return
    removeLeftovers(paths.toolchain)
    const source = toolchainSource(distribution, readAptSources())
    const settings = pickAptSettings(ask(['apt-config', 'dump']) ?? '')
    const fresh = `${paths.toolchain}.new-${process.pid}`
    mkdirSync(join(fresh, 'root'), { recursive: true })
    await retryOnce(() =>
      extractPackages({
        source,
        settings,
        folder: join(fresh, 'root'),
        why: `${distribution.name} has none that is new enough`,
      }),
    )
    relocate(join(fresh, 'root'), join(paths.toolchain, 'root'))
    writeSettings(fresh, paths.toolchain)
    moveIntoPlace(fresh, paths.toolchain)
    demandWorkingPodman(paths.toolchain)
    writeFileSync(stampFile(paths.toolchain), `${recipeVersion}\n`)
  })
}

async function retryOnce(action) {
  try {
    await action()
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof Stopped) throw error
    say(`${error.message}; trying once more`)
    await action()
  }
}

function removeLeftovers(toolchain) {
  const isLeftover = (name) =>
    name.startsWith(`${basename(toolchain)}.new-`) || name.startsWith(`${basename(toolchain)}.old-`)
  for (const name of readdirSync(dirname(toolchain)).filter(isLeftover))
    rmSync(join(dirname(toolchain), name), { recursive: true, force: true })
}

/** Makes every program use the libraries beside it, under the path that the toolchain will have in the end. */
function relocate(root, finalRoot) {
  say('fitting its programs to their own libraries (patchelf)')
  const libraries = readdirSync(join(root, 'usr/lib'))
    .filter((name) => name.includes('-linux-'))
    .map((name) => `${finalRoot}/usr/lib/${name}`)
  const search = libraries.flatMap((folder) => [folder, `${folder}/systemd`]).join(':')
  const done = new Set()
  for (const program of ['usr/bin', 'usr/sbin', 'usr/lib/podman', 'usr/libexec/podman'].flatMap((folder) =>
    listPrograms(join(root, folder)),
  )) {
    // passt and pasta are one file under two names, and a second pass would take the new loader for the old.
    const { ino } = lstatSync(program)
    if (done.has(ino)) continue
    done.add(ino)
    const interpreter = ask(['patchelf', '--print-interpreter', program])
    // A static program has none and needs nothing.
    if (!interpreter) continue
    if (
      ask([
        'patchelf',
        '--set-interpreter',
        loaderIn(root, finalRoot, interpreter),
        '--force-rpath',
        '--set-rpath',
        search,
        program,
      ]) === undefined
    ) {
      throw new Failure('the private Podman could not be fitted to its own libraries', {
        why: `patchelf refused ${program}`,
      })
    }
  }
}

/** `/lib64/ld-….so` lies below `usr` in the packages; the link from `/lib64` belongs to a system that boots. */
function loaderIn(root, finalRoot, interpreter) {
  const place = ['', '/usr'].find((prefix) => existsSync(`${root}${prefix}${interpreter}`)) ?? '/usr'
  return `${finalRoot}${place}${interpreter}`
}

function listPrograms(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((file) => lstatSync(file).isFile() && isElf(file))
}

function isElf(file) {
  const descriptor = openSync(file, 'r')
  try {
    const magic = Buffer.alloc(4)
    return readSync(descriptor, magic, 0, 4, 0) === 4 && magic.toString('latin1') === '\x7fELF'
  } finally {
    closeSync(descriptor)
  }
}

function writeSettings(fresh, toolchain) {
  mkdirSync(join(fresh, 'bin'))
  writeFileSync(
    join(fresh, 'containers.conf'),
    containersConf(join(toolchain, 'root'), existsSync('/run/systemd/system')),
  )
  writeFileSync(join(fresh, 'bin/podman'), podmanWrapper(toolchain))
  chmodSync(join(fresh, 'bin/podman'), 0o755)
  for (const [name, program] of Object.entries(linkedPrograms))
    symlinkSync(`../root/${program}`, join(fresh, 'bin', name))
}

function moveIntoPlace(fresh, toolchain) {
  const old = `${toolchain}.old-${process.pid}`
  if (existsSync(toolchain)) renameSync(toolchain, old)
  renameSync(fresh, toolchain)
  rmSync(old, { recursive: true, force: true })
}

function demandWorkingPodman(toolchain) {
  for (const argv of [
    ['podman', '--version'],
    ['nft', '--version'],
    ['pasta', '--version'],
  ]) {
    if (ask([join(toolchain, 'bin', argv[0]), ...argv.slice(1)]) === undefined) {
      throw new Failure('the private Podman does not start', {
        why: `${argv.join(' ')} failed in ${toolchain}`,
        fix: 'Start Paddock again: it is made anew. If that fails too, install Podman 5 or newer yourself.',
      })
    }
  }
}
