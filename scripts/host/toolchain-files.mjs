import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Raised whenever the recipe changes: a toolchain with another number is built again. */
export const recipeVersion = 1

/** What is in the private toolchain; dependencies come along. */
export const toolchainPackages = [
  'podman',
  'crun',
  'passt',
  'netavark',
  'aardvark-dns',
  'conmon',
  'fuse-overlayfs',
  'nftables',
  'socat',
]

/** Programs of the toolchain that others may call by name; `podman` is a wrapper and not in this list. */
export const linkedPrograms = {
  crun: 'usr/bin/crun',
  pasta: 'usr/bin/pasta',
  passt: 'usr/bin/passt',
  nft: 'usr/sbin/nft',
  socat: 'usr/bin/socat',
  'fuse-overlayfs': 'usr/bin/fuse-overlayfs',
}

/**
 * Files of the account that runs the sandboxes.
 *
 * @typedef {{ cache: string, toolchain: string, locks: string, policy: string }} HostPaths
 * @returns {HostPaths}
 */
export function hostPaths(home, environment = {}) {
  const folder = (variable, fallback) =>
    environment[variable]?.startsWith('/') ? environment[variable] : join(home, fallback)
  const cache = join(folder('XDG_CACHE_HOME', '.cache'), 'paddock')
  return {
    cache,
    toolchain: join(cache, 'toolchain'),
    locks: join(cache, 'locks'),
    // Podman reads it from here whatever XDG_CONFIG_HOME says: containers-policy.json(5).
    policy: join(home, '.config/containers/policy.json'),
  }
}

/** The file that is written last, so that a toolchain without it is known to be half made. */
export function stampFile(toolchain) {
  return join(toolchain, 'recipe')
}

/** Whether the private toolchain is complete and made by today's recipe. */
export function isToolchainCurrent(toolchain) {
  try {
    return readFileSync(stampFile(toolchain), 'utf8').trim() === String(recipeVersion)
  } catch {
    return false
  }
}

/**
 * What Podman needs to know to find its programs in the toolchain: containers.conf(5).
 *
 * @param {string} root the folder that holds the toolchain's `usr`
 * @param {boolean} hasSystemd without systemd nobody else can make cgroups for Podman
 */
export function containersConf(root, hasSystemd) {
  const engine = hasSystemd ? [] : ['cgroup_manager = "cgroupfs"']
  return [
    '[containers]',
    `seccomp_profile = ${quote(`${root}/usr/share/containers/seccomp.json`)}`,
    '[engine]',
    ...engine,
    // The journal is often closed to ordinary users.
    'events_logger = "file"',
    `helper_binaries_dir = [${['usr/lib/podman', 'usr/libexec/podman', 'usr/bin'].map((folder) => quote(`${root}/${folder}`)).join(', ')}]`,
    `conmon_path = [${quote(`${root}/usr/bin/conmon`)}]`,
    '[engine.runtimes]',
    `crun = [${quote(`${root}/usr/bin/crun`)}]`,
    '',
  ].join('\n')
}

// TOML's basic strings escape as JSON does.
const quote = (text) => JSON.stringify(text)

/**
 * The `podman` of the toolchain. It adds its settings with the variable that is read after all files, so the person's
 * own containers.conf and CONTAINERS_CONF still count.
 */
export function podmanWrapper(toolchain) {
  return [
    '#!/bin/sh',
    `toolchain=${shellQuote(toolchain)}`,
    'export CONTAINERS_CONF_OVERRIDE="$toolchain/containers.conf"',
    'export PATH="$toolchain/bin:$PATH:/usr/sbin:/sbin"',
    'exec "$toolchain/root/usr/bin/podman" "$@"',
    '',
  ].join('\n')
}

function shellQuote(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}
