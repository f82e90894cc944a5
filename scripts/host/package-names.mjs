/**
 * The programs that Paddock needs and, for each package manager, the package that brings them. A package manager that
 * is not listed here is one we do not know: the person is told what to install.
 */
const shared = {
  podman: 'podman',
  crun: 'crun',
  pasta: 'passt',
  netavark: 'netavark',
  'aardvark-dns': 'aardvark-dns',
  nft: 'nftables',
  socat: 'socat',
  'fuse-overlayfs': 'fuse-overlayfs',
  make: 'make',
}

export const packageManagers = {
  'apt-get': {
    packages: {
      ...shared,
      newuidmap: 'uidmap',
      newgidmap: 'uidmap',
      mmdebstrap: 'mmdebstrap',
      patchelf: 'patchelf',
      python3: 'python3',
      'g++': 'g++',
    },
    install: ['apt-get', 'install', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'],
    refresh: ['apt-get', 'update'],
  },
  dnf: {
    packages: { ...shared, newuidmap: 'shadow-utils', newgidmap: 'shadow-utils', python3: 'python3', 'g++': 'gcc-c++' },
    install: ['dnf', 'install', '--assumeyes'],
    refresh: ['dnf', 'makecache'],
  },
  zypper: {
    packages: { ...shared, newuidmap: 'shadow', newgidmap: 'shadow', python3: 'python3', 'g++': 'gcc-c++' },
    install: ['zypper', '--non-interactive', 'install'],
    refresh: ['zypper', '--non-interactive', 'refresh'],
  },
  pacman: {
    packages: { ...shared, newuidmap: 'shadow', newgidmap: 'shadow', python3: 'python', 'g++': 'gcc' },
    install: ['pacman', '-S', '--needed', '--noconfirm'],
    // Refreshing the lists alone would leave the machine half upgraded, which Arch does not support.
    refresh: undefined,
  },
}

/** Programs of Podman's own: from the distribution or from the private toolchain, always all from one of them. */
export const podmanPrograms = ['podman', 'crun', 'pasta', 'netavark', 'aardvark-dns', 'nft', 'socat', 'fuse-overlayfs']

/** What compiles node-pty, which comes without a Linux binary. */
export const compilerPrograms = ['python3', 'make', 'g++']

/** The command that installs the packages, without sudo. */
export function installCommand(manager, packages) {
  return [...packageManagers[manager].install, ...packages]
}

/** The packages that bring the given programs; programs without one are left out. */
export function packagesFor(manager, programs) {
  const names = manager ? packageManagers[manager].packages : {}
  return [...new Set(programs.map((program) => names[program]).filter(Boolean))]
}
