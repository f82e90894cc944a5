import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPodman } from '../../electron/core/engine/podman-path.ts'
import { findPaths } from '../../electron/core/store/paths.ts'
import { hookPlainPodman, makeHookFolder, sameHookNote } from './hook-folder.ts'
import type { Report } from './report.ts'
import { measureInTurn, median } from './samples.ts'

const pairs = 20
/** Beyond this the launch is too slow: runlabel starts Podman twice and Paddock once, which leaves room for Node. */
const limit = 1.5
const image = 'localhost/paddock:bench'

/** The minimal profile on crun and without a terminal, so that both sides run where no krun is. */
const containerfile = `FROM localhost/paddock:minimal
LABEL run="podman run --rm --interactive --runtime crun --network pasta --cap-drop ALL \\
  --security-opt no-new-privileges --read-only --tmpfs /tmp:rw,noexec,nosuid,nodev,size=512m --pids-limit 512 \\
  --user ai --userns keep-id:uid=1000,gid=1000 --volume \\$HOME/.local/share/paddock/homes/default:/home/ai:z \\
  --volume \\$PWD:/home/ai/sandbox:z --workdir /home/ai/sandbox IMAGE true"
`

interface Place {
  config: string
  project: string
  /** Podman that notes when it was started, then is the real one. */
  notingPodman: string
  startedFile: string
}

/** Compares `paddock run` of a fresh image with `podman container runlabel` of the same label, pair by pair. */
export async function benchLaunch(report: Report): Promise<void> {
  const podman = findPodman(findPaths().toolchainPodman)
  const folder = mkdtempSync(join(tmpdir(), 'paddock-bench-'))
  try {
    report.note('building what is measured')
    const place = prepare(folder, podman)
    const hook = await makeHookFolder(join(folder, 'hook'), podman)
    hookPlainPodman(place.config, hook)
    report.note(sameHookNote)
    const paddock = () => timeMs([process.execPath, command(), 'run', 'bench'], place, podman)
    const runlabel = () => timeMs([podman, 'container', 'runlabel', 'run', image], place, podman)
    report.ratio('paddock run', 'podman container runlabel', await measureInTurn(pairs, paddock, runlabel), limit)
    hook.demandReceipt()
    report.median('before Podman starts', 'ms', Array.from({ length: pairs }, () => timeBeforePodmanMs(place)))
    report.figure('Node’s own start, of that', 'ms', median(nodeAloneMs()))
  } finally {
    spawnSync(podman, ['rmi', '--force', image], { stdio: 'ignore' })
    rmSync(folder, { recursive: true, force: true })
  }
}

function command(): string {
  return fileURLToPath(new URL('paddock.cjs', import.meta.url))
}

function prepare(folder: string, podman: string): Place {
  const place = { config: join(folder, 'config'), project: join(folder, 'project'), notingPodman: join(folder, 'podman'), startedFile: join(folder, 'started') }
  const profile = join(place.config, 'paddock/profiles/bench')
  mkdirSync(profile, { recursive: true })
  mkdirSync(place.project)
  writeFileSync(join(profile, 'Containerfile'), containerfile)
  writeFileSync(place.notingPodman, `#!/bin/sh\ndate +%s%N > '${place.startedFile}'\nexec '${podman}' "$@"\n`)
  chmodSync(place.notingPodman, 0o755)
  const built = spawnSync(process.execPath, [command(), 'build', 'bench'], { env: environment(place, podman), encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`The bench profile could not be built:\n${built.stderr}`)
  return place
}

function environment({ config }: Place, podman: string): NodeJS.ProcessEnv {
  return { ...process.env, XDG_CONFIG_HOME: config, PADDOCK_PODMAN: podman, PADDOCK_ISOLATION: 'container', PODMAN_IGNORE_CGROUPSV1_WARNING: '1' }
}

/** Runs a command that has to succeed; wall time in ms. */
function timeMs([program, ...args]: string[], place: Place, podman: string): number {
  const started = process.hrtime.bigint()
  const ended = spawnSync(program!, args, { cwd: place.project, env: environment(place, podman), stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' })
  const ms = Number(process.hrtime.bigint() - started) / 1e6
  if (ended.status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${ended.status}:\n${ended.stderr}`)
  return ms
}

/** Time from starting `paddock run` to the start of Podman, in ms. */
function timeBeforePodmanMs(place: Place): number {
  const started = Date.now()
  timeMs([process.execPath, command(), 'run', 'bench'], place, place.notingPodman)
  return Number(BigInt(readFileSync(place.startedFile, 'utf8').trim()) / 1_000_000n) - started
}

function nodeAloneMs(): number[] {
  return Array.from({ length: 5 }, () => {
    const started = process.hrtime.bigint()
    spawnSync(process.execPath, ['-e', '0'])
    return Number(process.hrtime.bigint() - started) / 1e6
  })
}
