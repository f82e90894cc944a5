import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** How a Podman that root runs ended. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface RootPodman {
  run(args: readonly string[], timeoutMs?: number): Ended
  dispose(): void
}

/**
 * Podman as root, with a storage of its own that holds one image of the account's.
 * Settings: PADDOCK_PODMAN, else the account's private Podman, else the one on the path; PADDOCK_ACCOUNT names the
 * account (default: paddock).
 */
export function createRootPodman(image: string): RootPodman {
  const account = readAccount(process.env.PADDOCK_ACCOUNT ?? 'paddock')
  const own = join(account.home, '.cache/paddock/toolchain/bin/podman')
  const podman = process.env.PADDOCK_PODMAN ?? (existsSync(own) ? own : 'podman')
  const folder = mkdtempSync(join(tmpdir(), 'paddock-root-'))
  const configuration = join(folder, 'containers.conf')
  // Root without CAP_SYS_RESOURCE, as in a container, may not raise limits to Podman's own defaults.
  writeFileSync(configuration, '[containers]\ndefault_ulimits = ["nofile=1024:4096", "nproc=4096:4096"]\n[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n')
  // A home of its own: nothing of root's configuration counts, and the policy that Podman demands is there.
  const policy = join(folder, '.config/containers/policy.json')
  mkdirSync(dirname(policy), { recursive: true })
  writeFileSync(policy, '{"default": [{"type": "insecureAcceptAnything"}]}\n')
  const store = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run')]
  // conmon leaves a file named oom in its working folder when the kernel kills a container.
  const run: RootPodman['run'] = (args, timeoutMs = 60_000) => {
    const [program, ...words] = withoutCgroup2([podman, ...store, ...args])
    const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: undefined, CONTAINERS_CONF: configuration, PODMAN_IGNORE_CGROUPSV1_WARNING: '1', XDG_RUNTIME_DIR: undefined }
    const { status, stdout, stderr, error } = spawnSync(program!, words, { encoding: 'utf8', cwd: folder, env, timeout: timeoutMs, killSignal: 'SIGKILL' })
    if (error) throw error
    return { code: status, stdout, stderr }
  }
  const dispose = () => {
    run(['rm', '--all', '--force', '--time', '0'])
    run(['rmi', '--all', '--force'])
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const archive = join(folder, 'image.tar')
    saveAs(account, podman, image, archive)
    const loaded = run(['load', '--input', archive], 120_000)
    if (loaded.code !== 0) throw new Error(`Podman as root cannot load ${image}: ${loaded.stderr}`)
    rmSync(archive)
    return { run, dispose }
  } catch (error) {
    dispose()
    throw error
  }
}

interface Account {
  name: string
  uid: number
  gid: number
  home: string
}

function readAccount(name: string): Account {
  const line = readFileSync('/etc/passwd', 'utf8').split('\n').find((candidate) => candidate.startsWith(`${name}:`))
  if (!line) throw new Error(`There is no account "${name}": set PADDOCK_ACCOUNT to the one that the other tests ran as.`)
  const [, , uid, gid, , home] = line.split(':')
  return { name, uid: Number(uid), gid: Number(gid), home: home! }
}

/** The account writes the archive to its stdout, so that it needs no right in root's folder. */
function saveAs(account: Account, podman: string, image: string, archive: string): void {
  const become = ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--init-groups', '--']
  const identity = [`HOME=${account.home}`, `USER=${account.name}`, `LOGNAME=${account.name}`, `XDG_RUNTIME_DIR=/run/user/${account.uid}`]
  const [program, ...words] = withoutCgroup2([...become, 'env', '--chdir=/', ...identity, podman, 'save', image])
  const saved = execFileSync(program!, words, { maxBuffer: 2 ** 31 - 1, stdio: ['ignore', 'pipe', 'inherit'] })
  writeFileSync(archive, saved)
}

const unified = '/sys/fs/cgroup/unified'

/** crun starts nothing where cgroup v2 has controllers beside v1; there it must not see that mount. */
function withoutCgroup2(argv: readonly string[]): string[] {
  const controllers = join(unified, 'cgroup.controllers')
  if (!existsSync(controllers) || readFileSync(controllers, 'utf8').trim() === '') return [...argv]
  const script = join(dirname(fileURLToPath(import.meta.url)), '../../scripts/account/hide-cgroup2.sh')
  return ['unshare', '--mount', '--propagation', 'private', '--', 'sh', script, unified, ...argv]
}
