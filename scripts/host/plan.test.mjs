import { describe, expect, it } from 'vitest'
import { parseCandidate } from './facts.mjs'
import { parseDistribution } from './distribution.mjs'
import { parseLinkerCache } from './find-libraries.mjs'
import { compilerPrograms, displayPrograms, podmanPrograms, testPrograms, windowLibraries } from './package-names.mjs'
import { choosePodman, planHost, requiredPackages } from './plan.mjs'
import { reportHost } from './report.mjs'
import { toolchainSource } from './toolchain-source.mjs'

const debian12 = { name: 'Debian 12', family: 'debian', codename: 'bookworm' }
const ready = {
  distribution: { name: 'Debian 13', family: 'debian', codename: 'trixie' },
  manager: 'apt-get',
  present: [...podmanPrograms, ...compilerPrograms, 'newuidmap', 'newgidmap', 'mmdebstrap', 'patchelf'],
  podmanVersion: '5.4.2',
  hasToolchain: false,
  hasArchiveKeys: true,
  hasPolicy: true,
  hasSubordinateIds: true,
  needsCompiler: true,
  needsWindow: false,
  needsTestPrograms: false,
  needsVirtualDisplay: false,
  isHybrid: false,
  isUsernsRestricted: false,
  tunProblem: undefined,
}
const unmet = (facts) => planHost({ ...ready, ...facts }).filter(({ isMet }) => !isMet)
const names = (facts) => unmet(facts).map(({ name }) => name)

describe('where Podman comes from', () => {
  it.each([
    ['the system’s own when it is new enough', {}, 'present'],
    ['the toolchain once it is made', { hasToolchain: true, podmanVersion: undefined }, 'toolchain'],
    ['apt when its candidate is new enough', { podmanVersion: '4.3.1', podmanCandidate: '5.4.2' }, 'packages'],
    ['a toolchain when apt has only an old one', { podmanVersion: undefined, podmanCandidate: '4.3.1' }, 'toolchain'],
    ['the package manager of a distribution that moves', { podmanVersion: undefined, manager: 'pacman' }, 'packages'],
    ['nowhere that we know', { podmanVersion: undefined, manager: undefined }, 'unknown'],
  ])('%s', (_, facts, way) => {
    expect(choosePodman({ ...ready, ...facts })).toBe(way)
  })
})

describe('requirements', () => {
  it('has nothing to do on a machine that is ready', () => {
    expect(names({})).toEqual([])
    expect(reportHost(ready).isReady).toBe(true)
  })

  it('names the packages of each distribution', () => {
    const missing = ['newuidmap', 'newgidmap', 'g++', 'pasta', 'nft']
    const packages = (manager) => requiredPackages({ ...ready, manager }, missing)
    expect(packages('apt-get')).toEqual(['uidmap', 'g++', 'passt', 'nftables'])
    expect(packages('dnf')).toEqual(['shadow-utils', 'gcc-c++', 'passt', 'nftables'])
    expect(packages('zypper')).toEqual(['shadow', 'gcc-c++', 'passt', 'nftables'])
    expect(packages('pacman')).toEqual(['shadow', 'gcc', 'passt', 'nftables'])
  })

  it('needs Electron’s libraries for jobs with windows, and Xvfb where there is no display', () => {
    expect(names({ needsVirtualDisplay: true })).toEqual([])
    expect(names({ needsWindow: true })).toEqual(['window'])
    expect(names({ needsWindow: true, needsVirtualDisplay: true })).toEqual(['window', 'display'])
    expect(names({ needsWindow: true, present: [...ready.present, ...windowLibraries] })).toEqual([])
  })

  it('needs a session bus, SSH’s clients and ip for the tests only', () => {
    expect(names({ needsTestPrograms: true })).toEqual(['test programs'])
    expect(names({ needsTestPrograms: true, present: [...ready.present, ...testPrograms] })).toEqual([])
  })

  it('names the packages of the window for each distribution', () => {
    const packages = (facts) => requiredPackages({ ...ready, ...facts }, [...windowLibraries, ...displayPrograms, ...testPrograms])
    expect(packages({})).toEqual(['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1', 'libnotify4', 'xvfb', 'dbus-daemon', 'openssh-client', 'rsync', 'iproute2'])
    expect(packages({ hasTime64Names: true })).toContain('libasound2t64')
    expect(packages({ manager: 'dnf' })).toContain('libgtk-3.so.0()(64bit)')
    expect(packages({ manager: 'pacman' })).toEqual(['gtk3', 'nss', 'alsa-lib', 'mesa', 'libnotify', 'xorg-server-xvfb', 'dbus', 'openssh', 'rsync', 'iproute2'])
    for (const manager of ['dnf', 'zypper']) expect(packages({ manager })).toHaveLength(11)
  })

  it('finds libraries for programs of this kind only', () => {
    const cache =
      '2 libs found\n\tlibnss3.so (libc6,x86-64) => /lib/libnss3.so\n\tlibgbm.so.1 (libc6) => /lib32/libgbm.so.1\n'
    expect([...parseLinkerCache(cache, 'x64')]).toEqual(['libnss3.so'])
    expect([...parseLinkerCache('\tlibnss3.so (libc6,AArch64) => /lib/x\n', 'arm64')]).toEqual(['libnss3.so'])
  })

  it('needs the building tools of a toolchain only until it is made', () => {
    const old = {
      podmanVersion: '4.3.1',
      distribution: debian12,
      present: ['newuidmap', 'newgidmap', 'mmdebstrap'],
      needsCompiler: false,
      hasArchiveKeys: false,
    }
    expect(names(old)).toEqual(['podman', 'archive keys', 'patchelf'])
    expect(names({ ...old, hasToolchain: true })).toEqual([])
  })

  it('needs no compiler when nothing will be compiled', () => {
    const present = ready.present.filter((program) => program !== 'g++')
    expect(names({ present })).toEqual(['compiler'])
    expect(names({ present, needsCompiler: false })).toEqual([])
  })

  it('asks for the base image tool only where apt is', () => {
    const present = ready.present.filter((program) => program !== 'mmdebstrap')
    expect(names({ present })).toEqual(['mmdebstrap'])
    expect(names({ present, manager: 'dnf' })).toEqual([])
  })

  it('reports what only the person can change, with what to do', () => {
    const found = unmet({ isHybrid: true, tunProblem: 'EACCES', isUsernsRestricted: true, hasToolchain: true })
    expect(found.map(({ name }) => name)).toEqual(['/dev/net/tun', 'cgroups', 'user namespaces'])
    expect(found.every(({ isManual, remedy }) => isManual && remedy)).toBe(true)
  })

  it('prints what would be done below what is missing', () => {
    const { text, isReady } = reportHost({ ...ready, present: ready.present.filter((program) => program !== 'socat') })
    expect(isReady).toBe(false)
    expect(text).toMatch(/missing {2}socat +not installed\n +-> apt-get install .* socat/)
  })
})

describe('reading the machine', () => {
  it('takes a derivative for what it is made from', () => {
    expect(
      parseDistribution('ID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_CODENAME=wilma\nUBUNTU_CODENAME=noble'),
    ).toMatchObject({ family: 'ubuntu', codename: 'noble' })
    expect(parseDistribution('ID=debian\nVERSION_CODENAME=bookworm\nPRETTY_NAME="Debian 12"')).toEqual({ ...debian12 })
    expect(parseDistribution('ID=fedora').family).toBe('other')
  })

  it('reads apt’s candidate without epoch and revision', () => {
    expect(parseCandidate('podman:\n  Installed: (none)\n  Candidate: 5.4.2+ds1-2+b2\n')).toBe('5.4.2')
    expect(parseCandidate('podman:\n  Candidate: 1:4.9.3-0ubuntu1\n')).toBe('4.9.3')
    expect(parseCandidate('podman:\n  Candidate: (none)\n')).toBeUndefined()
  })
})

describe('the source of a private Podman', () => {
  const source = (uri, suite, more = {}) => ({
    uris: [uri],
    suites: [suite],
    components: ['main'],
    isTrusted: false,
    ...more,
  })

  it('is a newer release in the machine’s own mirror, with security updates where the machine has them', () => {
    const sources = [
      source('http://mirror.example/debian', 'bookworm', { signedBy: '/keys/own.gpg' }),
      source('http://mirror.example/security', 'bookworm-security'),
    ]
    expect(toolchainSource(debian12, sources)).toEqual({
      suite: 'trixie',
      lines: [
        'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg,/keys/own.gpg] http://mirror.example/debian trixie main',
        'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://mirror.example/security trixie-security main',
      ],
    })
  })

  it('is an error that says what to do when the machine has no archive', () => {
    expect(() => toolchainSource(debian12, [])).toThrow(/no place to get a newer Podman/)
  })
})
