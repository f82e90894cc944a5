/**
 * The programs and shared libraries that Paddock needs and, for each package manager, the package that brings them. A package manager that
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

/**
 * Shared libraries that Electron asks for and a machine without a desktop lacks; the others come along as their
 * dependencies. Without libnotify it starts all the same, and shows no notifications.
 */
export const windowLibraries = ['libgtk-3.so.0', 'libnss3.so', 'libasound.so.2', 'libgbm.so.1', 'libnotify.so.4']

/** What opens windows where there is no display. */
export const displayPrograms = ['Xvfb']

/** What only the tests run: a session bus of their own, with a desktop on it that they made, the clients of SSH, and what makes an internet of their own. */
export const testPrograms = ['dbus-daemon', 'ssh', 'sftp', 'rsync', 'ip']

/** In rpm's world a library or a program can be asked for as such, whatever its package is called. */
const rpmWindow = {
  ...Object.fromEntries(windowLibraries.map((name) => [name, `${name}()(64bit)`])),
  Xvfb: '/usr/bin/Xvfb',
  'dbus-daemon': '/usr/bin/dbus-daemon',
  ssh: '/usr/bin/ssh',
  sftp: '/usr/bin/sftp',
  rsync: '/usr/bin/rsync',
  ip: '/usr/sbin/ip',
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
      'libgtk-3.so.0': 'libgtk-3-0',
      'libnss3.so': 'libnss3',
      'libasound.so.2': 'libasound2',
      'libgbm.so.1': 'libgbm1',
      'libnotify.so.4': 'libnotify4',
      Xvfb: 'xvfb',
      'dbus-daemon': 'dbus-daemon',
      ssh: 'openssh-client',
      sftp: 'openssh-client',
      rsync: 'rsync',
      ip: 'iproute2',
    },
    install: ['apt-get', 'install', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300'],
    refresh: ['apt-get', 'update'],
  },
  dnf: {
    packages: {
      ...shared,
      ...rpmWindow,
      newuidmap: 'shadow-utils',
      newgidmap: 'shadow-utils',
      python3: 'python3',
      'g++': 'gcc-c++',
    },
    install: ['dnf', 'install', '--assumeyes'],
    refresh: ['dnf', 'makecache'],
  },
  zypper: {
    packages: {
      ...shared,
      ...rpmWindow,
      newuidmap: 'shadow',
      newgidmap: 'shadow',
      python3: 'python3',
      'g++': 'gcc-c++',
    },
    install: ['zypper', '--non-interactive', 'install'],
    refresh: ['zypper', '--non-interactive', 'refresh'],
  },
  pacman: {
    packages: {
      ...shared,
      newuidmap: 'shadow',
      newgidmap: 'shadow',
      python3: 'python',
      'g++': 'gcc',
      'libgtk-3.so.0': 'gtk3',
      'libnss3.so': 'nss',
      'libasound.so.2': 'alsa-lib',
      'libgbm.so.1': 'mesa',
      'libnotify.so.4': 'libnotify',
      Xvfb: 'xorg-server-xvfb',
      'dbus-daemon': 'dbus',
      ssh: 'openssh',
      sftp: 'openssh',
      rsync: 'rsync',
      ip: 'iproute2',
    },
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
