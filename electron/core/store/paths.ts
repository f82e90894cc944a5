import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'

/** Every file and folder of Paddock's own, named once. All follow the XDG Base Directory Specification 0.8. */
export interface Paths {
  home: string
  settingsFile: string
  userProfilesFolder: string
  /** Mounted at `/home/ai`; shared by all profiles whose label says so. */
  defaultHomeFolder: string
  homesFolder: string
  /** A folder for each running launch: what Paddock mounts into it and learns from it. */
  launchesFolder: string
  /** Project folders that the window remembers. */
  projectsFile: string
  /** Place and size of the window. */
  windowBoundsFile: string
  /** Socket of the Podman service that Paddock starts where the account has none. */
  privateSocket: string
  /** The private Podman, where the distribution's own is too old. */
  toolchainPodman: string
  /** What is remembered of images between two runs; may be deleted at any time. */
  imageFactsFile: string
  /** What Containerfiles were read as; may be deleted at any time. */
  readingsFolder: string
  config: string
  data: string
  state: string
  cache: string
}

/** Where everything of this account’s lies. Nothing is read or made. */
export function findPaths(environment: NodeJS.ProcessEnv = process.env): Paths {
  const home = homedir()
  const folder = (variable: string, fallback: string) => {
    const value = environment[variable]
    // The specification: a relative path is to be ignored.
    return join(value?.startsWith('/') ? value : join(home, fallback), 'paddock')
  }
  const config = folder('XDG_CONFIG_HOME', '.config')
  const state = folder('XDG_STATE_HOME', '.local/state')
  const cache = folder('XDG_CACHE_HOME', '.cache')
  // The run label names this folder in full, so that plain Podman finds the same home: XDG_DATA_HOME cannot move it.
  const data = join(home, '.local/share/paddock')
  return {
    home,
    settingsFile: join(config, 'settings.json'),
    userProfilesFolder: join(config, 'profiles'),
    homesFolder: join(data, 'homes'),
    defaultHomeFolder: join(data, 'homes/default'),
    launchesFolder: join(state, 'launches'),
    projectsFile: join(state, 'projects.json'),
    windowBoundsFile: join(state, 'window.json'),
    privateSocket: join(environment.XDG_RUNTIME_DIR?.startsWith('/') ? environment.XDG_RUNTIME_DIR : state, 'paddock', 'podman.sock'),
    toolchainPodman: join(cache, 'toolchain/bin/podman'),
    imageFactsFile: join(cache, 'image-facts.json'),
    readingsFolder: join(cache, 'readings'),
    config,
    data,
    state,
    cache,
  }
}

/** The person's account name, as `$USER` in a run label. */
export function userName(): string {
  return userInfo().username
}
