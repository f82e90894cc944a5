import { homedir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'

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
  /** Keys of launches: gone when the account has logged out, and never on a disk. Null where the account has no runtime folder. */
  runtimeKeysFolder: string | null
  /** A folder for each throwaway sandbox. */
  triesFolder: string
  /** Project folders that the window remembers. */
  projectsFile: string
  /** Unsaved texts of profiles. */
  draftsFolder: string
  /** What each `paddock mcp` notes of who is connected. */
  mcpFolder: string
  /** The proxy of sandboxes with an allowlist, their policies and their logs. */
  egressFolder: string
  /** What the person allows for all sandboxes of a profile. */
  egressFile: string
  /** What the window and MCP servers tell each other of desktops. */
  desktopsFolder: string
  /** Place and size of the window. */
  windowBoundsFile: string
  /** Sockets of the Podman services that Paddock starts where the account has none. */
  socketsFolder: string
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
  const runtime = runtimeFolderOf(environment)
  const launchesFolder = join(state, 'launches')
  return {
    home,
    settingsFile: join(config, 'settings.json'),
    userProfilesFolder: join(config, 'profiles'),
    homesFolder: join(data, 'homes'),
    defaultHomeFolder: join(data, 'homes/default'),
    launchesFolder,
    runtimeKeysFolder: runtime && join(runtime, 'paddock/keys'),
    triesFolder: join(state, 'tries'),
    projectsFile: join(state, 'projects.json'),
    draftsFolder: join(state, 'drafts'),
    mcpFolder: join(state, 'mcp'),
    egressFolder: egressFolderBeside(launchesFolder),
    egressFile: join(config, 'egress.json'),
    desktopsFolder: join(state, 'desktops'),
    windowBoundsFile: join(state, 'window.json'),
    socketsFolder: join(runtime ?? state, 'paddock'),
    toolchainPodman: join(cache, 'toolchain/bin/podman'),
    imageFactsFile: join(cache, 'image-facts.json'),
    readingsFolder: join(cache, 'readings'),
    config,
    data,
    state,
    cache,
  }
}

/** The account's runtime folder, as its session says; null where it has none. */
export function runtimeFolderOf({ XDG_RUNTIME_DIR: folder }: NodeJS.ProcessEnv): string | null {
  return folder?.startsWith('/') ? folder : null
}

/** `egressFolder` for who knows only where the records of launches lie. */
export const egressFolderBeside = (launchesFolder: string) => join(dirname(launchesFolder), 'egress')

/** The person's account name, as `$USER` in a run label. */
export function userName(): string {
  return userInfo().username
}
