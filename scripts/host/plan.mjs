import {
  compilerPrograms,
  displayPrograms,
  installCommand,
  packagesFor,
  podmanPrograms,
  testPrograms,
  windowLibraries,
} from './package-names.mjs'
import { majorOf } from './facts.mjs'

/**
 * One thing that the machine must have.
 *
 * @typedef {object} Requirement
 * @property {string} name
 * @property {boolean} isMet
 * @property {string} found what is there, or what is wrong
 * @property {string} [remedy] what the set-up does about it, or the person has to
 * @property {string[]} [programs] programs and libraries to install for it
 * @property {boolean} [isManual] whether only the person can meet it
 */

/**
 * Where Podman comes from on this machine.
 *
 * @param {import('./facts.mjs').Facts} facts
 * @returns {'present' | 'toolchain' | 'packages' | 'unknown'} `unknown` where we know neither package manager nor archive
 */
export function choosePodman(facts) {
  if (facts.hasToolchain) return 'toolchain'
  if (majorOf(facts.podmanVersion) >= 5) return 'present'
  if (facts.manager === undefined) return 'unknown'
  // Other package managers are those of distributions that move: their Podman is new enough.
  if (facts.manager !== 'apt-get' || majorOf(facts.podmanCandidate) >= 5) return 'packages'
  return facts.distribution.family === 'other' ? 'unknown' : 'toolchain'
}

/** @param {import('./facts.mjs').Facts} facts @returns {Requirement[]} everything, whether it is met or not */
export function planHost(facts) {
  const way = choosePodman(facts)
  const requirements = way === 'toolchain' ? toolchainRequirements(facts) : podmanRequirements(facts, way)
  requirements.push(programs(facts, 'uidmap', ['newuidmap', 'newgidmap'], 'maps the ids inside a sandbox'))
  if (facts.manager === 'apt-get')
    requirements.push(
      programs(
        facts,
        'mmdebstrap',
        ['mmdebstrap'],
        'makes a base image from the archive when no image registry is reachable',
      ),
    )
  if (facts.needsCompiler)
    requirements.push(programs(facts, 'compiler', compilerPrograms, 'compiles the terminal support (node-pty)'))
  if (facts.needsWindow)
    requirements.push(programs(facts, 'window', windowLibraries, 'is what Electron draws windows with'))
  if (facts.needsWindow && facts.needsVirtualDisplay)
    requirements.push(programs(facts, 'display', displayPrograms, 'is a virtual one: there is no display here'))
  if (facts.needsTestPrograms)
    requirements.push(programs(facts, 'test programs', testPrograms, 'is what the tests’ desktop runs on and sandboxes are reached with'))
  return [...requirements, ...machineRequirements(facts, way)]
}

function podmanRequirements(facts, way) {
  const isNewEnough = majorOf(facts.podmanVersion) >= 5
  const podman = {
    name: 'podman',
    isMet: isNewEnough,
    found: facts.podmanVersion
      ? `${facts.podmanVersion}${isNewEnough ? '' : ', too old: 5 or newer is needed'}`
      : 'not installed',
    programs: way === 'unknown' ? [] : ['podman'],
    isManual: way === 'unknown',
    remedy:
      way === 'unknown'
        ? 'Install Podman 5 or newer; this distribution is not one that Paddock knows.'
        : installs(facts, ['podman']),
  }
  return [
    podman,
    ...podmanPrograms.filter((program) => program !== 'podman').map((program) => programs(facts, program, [program])),
  ]
}

function toolchainRequirements(facts) {
  const built = {
    name: 'podman',
    isMet: facts.hasToolchain,
    found: facts.hasToolchain
      ? 'private one in the cache folder'
      : `${facts.distribution.name} has ${facts.podmanVersion ?? facts.podmanCandidate ?? 'none'}, too old: 5 or newer is needed`,
    remedy:
      'A private Podman is made in the cache folder from your distribution’s newer release; the system’s own is not touched.',
  }
  if (facts.hasToolchain) return [built]
  const keys = {
    name: 'archive keys',
    isMet: facts.hasArchiveKeys,
    found: facts.hasArchiveKeys ? 'present' : 'missing',
    programs: ['archive-keys'],
    remedy: installs(facts, ['archive-keys']),
  }
  return [built, keys, programs(facts, 'patchelf', ['patchelf'], 'lets the private Podman use its own libraries')]
}

function machineRequirements(facts, way) {
  const requirement = (name, isMet, problem, remedy, isManual = true) => ({
    name,
    isMet,
    found: isMet ? 'ok' : problem,
    remedy,
    isManual,
  })
  const list = [
    requirement(
      'subordinate ids',
      facts.hasSubordinateIds,
      'this account has none in /etc/subuid and /etc/subgid',
      'Paddock gives it a free range (usermod --add-subuids --add-subgids).',
      false,
    ),
    requirement(
      '/dev/net/tun',
      facts.tunProblem === undefined,
      `cannot be opened (${facts.tunProblem}): sandboxes have no network`,
      'Run as root: modprobe tun && chmod 666 /dev/net/tun. In a container or VM, pass the device in.',
    ),
    requirement(
      'cgroups',
      !facts.isHybrid,
      'version 2 has controllers beside version 1: crun starts nothing then',
      'Start Paddock as root, which hides version 2 from it alone, or unmount it: sudo umount /sys/fs/cgroup/unified',
    ),
  ]
  if (way === 'toolchain' && facts.isUsernsRestricted) {
    list.push(
      requirement(
        'user namespaces',
        false,
        'AppArmor allows them to known programs only, and a private Podman is none',
        'Use a release whose own Podman is 5 or newer, or allow them: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0',
      ),
    )
  }
  return list
}

function programs(facts, name, wanted, use) {
  const missing = wanted.filter((program) => !facts.present.includes(program))
  return {
    name,
    isMet: missing.length === 0,
    found: missing.length === 0 ? 'present' : use ? `it ${use}` : 'not installed',
    programs: missing,
    remedy: installs(facts, missing),
  }
}

function installs(facts, missing) {
  const packages = requiredPackages(facts, missing)
  return packages.length > 0
    ? installCommand(facts.manager, packages).join(' ')
    : `Install it with your package manager: ${missing.join(', ')}`
}

/** The packages that bring the programs and libraries; the archive's keys have a package of their own in each family. */
export function requiredPackages({ manager, distribution, hasTime64Names }, wanted) {
  const keys = distribution.family === 'ubuntu' ? 'ubuntu-keyring' : 'debian-archive-keyring'
  return [
    ...packagesFor(
      manager,
      wanted.filter((name) => name !== 'archive-keys'),
    ).map((name) => (hasTime64Names && name === 'libasound2' ? 'libasound2t64' : name)),
    ...(wanted.includes('archive-keys') ? [keys] : []),
  ]
}
