import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPodman } from '../electron/core/engine/podman-path.ts'
import { findPaths } from '../electron/core/store/paths.ts'
import type { Sandbox } from '../shared/domain/sandbox.ts'
import { openTerminal, type Terminal } from './terminal.ts'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bundle = join(root, 'dist/paddock.cjs')

const quietly = { ...process.env, PODMAN_IGNORE_CGROUPSV1_WARNING: '1' }

/** The real Podman, found as the command finds it. These tests have no other: without one they fail. */
export const podmanPath = demandPodman()

function demandPodman(): string {
  if (!existsSync(bundle)) throw new Error(`${bundle} is missing: run "npx vite build" first.`)
  const path = findPodman(findPaths().toolchainPodman)
  try {
    const version = execFileSync(path, ['version', '--format', '{{.Client.Version}}'], { encoding: 'utf8', timeout: 60_000, env: quietly })
    if (Number(version.split('.')[0]) >= 5) return path
    throw new Error(`it is ${version.trim()}`)
  } catch (error) {
    throw new Error(`The end-to-end tests need a working Podman 5 and found none at "${path}": ${(error as Error).message}`)
  }
}

/** How a program ended; output as bytes and as text. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  bytes: Buffer
  stdout: string
  stderr: string
}

export interface ExecOptions {
  input?: string | Buffer
  env?: Record<string, string | undefined>
  cwd?: string
  /** Called with the pid once the program runs. */
  onStarted?: (pid: number) => void
}

/** Runs a program to its end, stdin a pipe, stdout and stderr apart. */
export function exec(argv: readonly [string, ...string[]], options: ExecOptions = {}): Promise<Ended> {
  const [program, ...args] = argv
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: options.cwd, env: { ...process.env, ...options.env } })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.once('spawn', () => options.onStarted?.(child.pid!))
    child.once('error', reject)
    // A program that ends without reading closes the pipe; its end tells all.
    child.stdin.on('error', () => {})
    child.stdin.end(options.input ?? '')
    child.once('close', (code, signal) => {
      const bytes = Buffer.concat(out)
      resolve({ code, signal, bytes, stdout: bytes.toString(), stderr: Buffer.concat(err).toString() })
    })
  })
}

/** Config, state and cache of its own over the account's real home and Podman storage. */
export interface World {
  folder: string
  env: Record<string, string | undefined>
  launchesFolder: string
  settingsFile: string
  profilesFolder: string
  /** Makes a project folder; any name that a file system takes. */
  project(name?: string): string
  /** Writes a profile of the person's own; its image goes when the world does. */
  profile(name: string, files: string | Record<string, string>): string
  /** Has the image of a profile that a test makes in another way removed with the world. */
  ownImage(name: string): void
  paddock(args: readonly string[], options?: ExecOptions): Promise<Ended>
  terminal(args: readonly string[], env?: Record<string, string | undefined>): Terminal
  /** A terminal with another command line in this world. */
  onTerminal(argv: readonly [string, ...string[]]): Terminal
  podman(args: readonly string[]): Promise<Ended>
  /** This world's sandboxes, by what `paddock ls` says. */
  ls(): Promise<Sandbox[]>
  dispose(): Promise<void>
}

/** What a world may have for itself. */
export interface WorldOptions {
  /** A Podman storage of its own, in which the account's images are there to read: for tests that would replace them. */
  ownStore?: boolean
  /** A runtime folder of its own, where Podman keeps what it knows of its processes. */
  ownRuntimeFolder?: boolean
}

/** Makes folders and an environment of a test’s own, with `paddock` in them. */
export function createWorld(name: string, { ownStore = false, ownRuntimeFolder = false }: WorldOptions = {}): World {
  const folder = mkdtempSync(join(tmpdir(), `paddock-e2e-${name}-`))
  const config = join(folder, 'config')
  const profilesFolder = join(config, 'paddock/profiles')
  const runtimeFolder = join(folder, 'run')
  mkdirSync(profilesFolder, { recursive: true })
  if (ownRuntimeFolder) mkdirSync(runtimeFolder, { mode: 0o700 })
  copyContainersConfig(join(config, 'containers'))
  // A private Podman has its nft beside it, and so has one that a test puts in its place.
  const nft = join(dirname(podmanPath), 'nft')
  if (existsSync(nft)) symlinkSync(nft, join(folder, 'nft'))
  const env: World['env'] = {
    XDG_CONFIG_HOME: config,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    PADDOCK_PODMAN: ownStore ? writeStoreWrapper(folder) : podmanPath,
    PADDOCK_ISOLATION: 'container',
    PADDOCK_BASE_IMAGE: undefined,
    PADDOCK_CWD: undefined,
    PODMAN_IGNORE_CGROUPSV1_WARNING: '1',
    NO_COLOR: '1',
    ...(ownRuntimeFolder && { XDG_RUNTIME_DIR: runtimeFolder }),
  }
  const podman = (args: readonly string[]) => exec([env.PADDOCK_PODMAN!, ...args], { env: { ...env, CONTAINER_HOST: undefined } })
  const profiles: string[] = []
  const world: World = {
    folder,
    env,
    launchesFolder: join(folder, 'state/paddock/launches'),
    settingsFile: join(config, 'paddock/settings.json'),
    profilesFolder,
    podman,
    project(projectName = 'project') {
      const path = join(folder, 'projects', projectName)
      mkdirSync(path, { recursive: true })
      return path
    },
    profile(profileName, files) {
      const path = join(profilesFolder, profileName)
      mkdirSync(path, { recursive: true })
      for (const [file, text] of Object.entries(typeof files === 'string' ? { Containerfile: files } : files)) writeFileSync(join(path, file), text)
      profiles.push(profileName)
      return path
    },
    ownImage: (profileName) => void profiles.push(profileName),
    paddock: (args, options = {}) => exec([process.execPath, bundle, ...args], { cwd: folder, ...options, env: { ...env, ...options.env } }),
    terminal: (args, more = {}) => openTerminal([process.execPath, bundle, ...args], { ...env, ...more }, folder),
    onTerminal: (argv) => openTerminal(argv, env, folder),
    async ls() {
      const { code, stdout, stderr } = await world.paddock(['ls', '--json'])
      if (code !== 0) throw new Error(`paddock ls failed: ${stderr}`)
      return (JSON.parse(stdout) as Sandbox[]).filter(({ project }) => project?.startsWith(folder))
    },
    async dispose() {
      await removeContainersOf(world)
      if (ownStore) await removeStore(join(folder, 'store'))
      else for (const profileName of profiles) await removeImagesOf(world, profileName)
      removeKeysOf(world)
      await removeBusyFolder(folder)
    },
  }
  return world
}

/** A Podman with a storage of its own over the account's images, which it can read but not change. */
function writeStoreWrapper(folder: string): string {
  const images = execFileSync(podmanPath, ['info', '--format', '{{.Store.GraphRoot}}'], { encoding: 'utf8', env: quietly }).trim()
  const store = join(folder, 'store')
  const options = `--root '${store}/root' --runroot '${store}/run' --storage-driver overlay --storage-opt 'additionalimagestore=${images}'`
  const wrapper = join(folder, 'podman')
  writeFileSync(wrapper, `#!/bin/sh\nexec '${podmanPath}' ${options} "$@"\n`, { mode: 0o755 })
  return wrapper
}

/** What cleans up after a sandbox, and parts of an app that was killed, may still be at work there. Node's own retries look at no file that comes meanwhile. */
async function removeBusyFolder(folder: string): Promise<void> {
  await until(`${folder} is removed`, () => {
    try {
      rmSync(folder, { recursive: true, force: true })
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOTEMPTY') return false
      throw error
    }
  })
}

/** What a Podman that was killed has mounted stays mounted in the namespace that all of this account's share. */
const removeMounted = `cut -d' ' -f5 /proc/self/mountinfo | grep "^$1/" | sort -r | while read -r point; do umount -l "$point"; done; rm -rf "$1"`

/** Files in it belong to subordinate ids. Podman's service, which an app that was killed leaves for a while, may still write there. */
async function removeStore(store: string): Promise<void> {
  let said = ''
  await until('the storage of this test is removed', async () => {
    said = (await exec([podmanPath, 'unshare', 'sh', '-c', removeMounted, 'sh', store], { env: quietly })).stderr
    return !existsSync(store)
  }).catch((error: Error) => {
    throw new Error(`${error.message}; it says:\n${said}`)
  })
}

/** Containers that mount something of this world, however they were started. */
export async function containersOf({ podman, folder }: World): Promise<string[]> {
  const all = (await podman(['ps', '--all', '--quiet', '--no-trunc'])).stdout.split('\n').filter(Boolean)
  const found = await Promise.all(
    all.map(async (id) => ((await podman(['container', 'inspect', '--format', '{{json .Mounts}}', id])).stdout.includes(folder) ? [id] : [])),
  )
  return found.flat()
}

/** Ends and removes this world's sandboxes. A failed test may leave one that is just being stopped, hence the second try. */
export async function removeContainersOf(world: World): Promise<void> {
  await until('every sandbox of this test is removed', async () => {
    const ids = await containersOf(world)
    if (ids.length > 0) await world.podman(['rm', '--force', '--time', '0', ...ids])
    return (await containersOf(world)).length === 0
  })
}

/** Keys of launches that Paddock heard no end of: they lie outside of the world's folder. */
function removeKeysOf({ launchesFolder }: World): void {
  for (const launch of existsSync(launchesFolder) ? readdirSync(launchesFolder) : []) {
    const keys = join(launchesFolder, launch, 'keys')
    if (existsSync(keys)) rmSync(realpathSync(keys), { recursive: true })
  }
}

async function removeImagesOf({ podman }: World, profile: string): Promise<void> {
  const filters = ['--filter', 'dangling=true', '--filter', `label=dev.paddock.profile=${profile}`]
  const replaced = (await podman(['images', '--quiet', ...filters])).stdout.split('\n').filter(Boolean)
  const own = profile.startsWith('e2e-') ? [`localhost/paddock:${profile}`] : []
  if (own.length + replaced.length > 0) await podman(['rmi', '--force', '--ignore', ...own, ...replaced])
}

/** Podman reads its configuration under XDG_CONFIG_HOME too: the account's own stays in force, and can be added to. */
function copyContainersConfig(target: string): void {
  const source = join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'containers')
  mkdirSync(join(target, 'containers.conf.d'), { recursive: true })
  for (const entry of existsSync(source) ? readdirSync(source) : []) {
    if (entry !== 'containers.conf.d') symlinkSync(join(source, entry), join(target, entry))
  }
  const parts = join(source, 'containers.conf.d')
  for (const entry of existsSync(parts) ? readdirSync(parts) : []) symlinkSync(join(parts, entry), join(target, 'containers.conf.d', entry))
}

/** A Containerfile on the bundled minimal profile; its LABEL run is the inherited one unless `edit` makes another. */
export function onMinimal(edit?: (label: string) => string, lines: readonly string[] = []): string {
  const label = edit ? [`LABEL run="${edit(minimalLabel()).replaceAll(/[$"]/g, '\\$&')}"`] : []
  return ['FROM localhost/paddock:minimal', ...lines, ...label, ''].join('\n')
}

/** A Containerfile on the bundled default profile, with another run label. */
export function onDefault(edit: (label: string) => string): string {
  return ['FROM localhost/paddock:latest', `LABEL run="${edit(labelOf('default')).replaceAll(/[$"]/g, '\\$&')}"`, ''].join('\n')
}

/** A Containerfile on the bundled desktop profile, with another run label. */
export function onDesktop(edit: (label: string) => string): string {
  return ['FROM localhost/paddock:desktop', `LABEL run="${edit(labelOf('desktop')).replaceAll(/[$"]/g, '\\$&')}"`, ''].join('\n')
}

/** The run label of the bundled minimal profile as its image carries it. */
export const minimalLabel = () => labelOf('minimal')

function labelOf(profile: string): string {
  const text = readFileSync(join(root, `profiles/${profile}/Containerfile`), 'utf8')
  return /^LABEL run="((?:[^"\\]|\\[^])*)"/m.exec(text)![1]!.replace(/\\\n/g, '').replaceAll('\\$', '$')
}

/** Waits until something holds, and fails with its name when it does not in time. */
export async function until<T>(what: string, look: () => Promise<T | null | undefined | false> | T | null | undefined | false, timeoutMs = 60_000): Promise<T> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (Date.now() > end) throw new Error(`It did not happen within ${timeoutMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
