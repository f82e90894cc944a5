import { existsSync, readFileSync } from 'node:fs'
import { ask } from '../process/run-step.mjs'
import { isHybrid } from '../account/hybrid-cgroups.mjs'
import { readDistribution } from './distribution.mjs'
import { findLibraries } from './find-libraries.mjs'
import { findProgram } from './find-program.mjs'
import {
  compilerPrograms,
  displayPrograms,
  packageManagers,
  podmanPrograms,
  testPrograms,
  windowLibraries,
} from './package-names.mjs'
import { openProblem } from './open-problem.mjs'
import { isToolchainCurrent } from './toolchain-files.mjs'

/**
 * What the plan for this machine is made from. Nothing is changed.
 *
 * @typedef {object} Facts
 * @property {import('./distribution.mjs').Distribution} distribution
 * @property {string | undefined} manager the package manager, one of those we know
 * @property {string[]} present programs, and libraries for windows, that are there
 * @property {string | undefined} podmanVersion of the Podman on the search path
 * @property {string | undefined} podmanCandidate the version that apt would install; asked only when it matters
 * @property {boolean} hasToolchain a current private Podman
 * @property {boolean} hasArchiveKeys whether the keys of the archive are installed that the toolchain comes from
 * @property {boolean} hasPolicy whether Podman finds a policy for image signatures
 * @property {boolean} hasSubordinateIds
 * @property {boolean} needsCompiler whether dependencies will be compiled
 * @property {boolean} needsWindow whether windows will be opened
 * @property {boolean} needsTestPrograms whether tests will be run
 * @property {boolean} needsVirtualDisplay whether there is no display to open them on
 * @property {boolean} hasTime64Names whether apt knows libasound2 by the name that Debian 13 and Ubuntu 24.04 gave it; asked
 * only when it matters
 * @property {boolean} isHybrid whether crun would refuse this machine's cgroups
 * @property {boolean} isUsernsRestricted whether only programs known to AppArmor may make user namespaces
 * @property {string | undefined} tunProblem why /dev/net/tun cannot be opened
 *
 * @param {object} who
 * @param {string} who.path search path of the account that runs the sandboxes
 * @param {import('./toolchain-files.mjs').HostPaths} who.paths
 * @param {boolean} who.hasSubordinateIds
 * @param {boolean} who.needsCompiler
 * @param {boolean} [who.needsWindow]
 * @param {boolean} [who.needsTestPrograms]
 * @param {boolean} [who.needsVirtualDisplay]
 * @param {boolean} [who.canHideCgroup2] whether the start will hide cgroup version 2, as root can
 * @returns {Facts}
 */
export function readFacts({
  path,
  paths,
  hasSubordinateIds,
  needsCompiler,
  needsWindow = false,
  needsTestPrograms = false,
  needsVirtualDisplay = false,
  canHideCgroup2 = false,
  environment = process.env,
}) {
  const distribution = readDistribution()
  const manager = Object.keys(packageManagers).find((name) => findProgram(name))
  const wanted = [
    ...podmanPrograms,
    ...compilerPrograms,
    ...displayPrograms,
    ...testPrograms,
    'newuidmap',
    'newgidmap',
    'mmdebstrap',
    'patchelf',
  ]
  const present = wanted.filter((program) => findProgram(program, path))
  if (needsWindow) present.push(...findLibraries(windowLibraries))
  const lacksSound = needsWindow && manager === 'apt-get' && !present.includes('libasound.so.2')
  const chosen = environment.PADDOCK_PODMAN
  if (chosen && !present.includes('podman')) present.push('podman')
  const podman = chosen || findProgram('podman', path)
  const hasToolchain = isToolchainCurrent(paths.toolchain)
  // Asking Podman for its version is the slowest question here, and with a toolchain the answer changes nothing.
  const podmanVersion =
    hasToolchain && !chosen
      ? undefined
      : podman && parseVersion(ask([podman, '--version'], { env: { ...environment, PATH: path } }))
  const mustAsk = manager === 'apt-get' && !hasToolchain && majorOf(podmanVersion) < 5
  return {
    distribution,
    manager,
    present,
    podmanVersion,
    podmanCandidate: mustAsk ? parseCandidate(ask(['apt-cache', 'policy', 'podman'])) : undefined,
    hasToolchain,
    hasArchiveKeys: existsSync(archiveKeys(distribution.family)),
    hasPolicy: ['/etc/containers/policy.json', paths.policy].some((file) => existsSync(file)),
    hasSubordinateIds,
    needsCompiler,
    needsWindow,
    needsTestPrograms,
    needsVirtualDisplay,
    hasTime64Names: lacksSound && parseCandidate(ask(['apt-cache', 'policy', 'libasound2t64'])) !== undefined,
    isHybrid: !canHideCgroup2 && isHybrid(),
    isUsernsRestricted: read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns').trim() === '1',
    tunProblem: openProblem('/dev/net/tun'),
  }
}

/** Where the keys of the distribution's archive lie, by the family of distributions. */
export function archiveKeys(family) {
  return `/usr/share/keyrings/${family}-archive-keyring.gpg`
}

/** `podman version 5.4.2` gives `5.4.2`. */
export function parseVersion(text) {
  return /(\d+\.\d+(?:\.\d+)?)/.exec(text ?? '')?.[1]
}

/** The version that `apt-cache policy` would install, without epoch and revision; undefined when it has none. */
export function parseCandidate(text) {
  return parseVersion(/^\s*Candidate:\s*(?:\d+:)?(\d.*)$/m.exec(text ?? '')?.[1])
}

/** 0 when there is no version. */
export function majorOf(version) {
  return Number(version?.split('.')[0] ?? 0)
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
