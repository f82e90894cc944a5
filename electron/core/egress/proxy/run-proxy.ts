import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { CallContext } from '../../../../shared/contract/contract.ts'
import { judgeReceipt, parseReceipt } from '../../../../shared/domain/egress-receipt.ts'
import { beyondInternet6, egressRules, formatEgressRules, pastaResolver } from '../../../../shared/domain/egress-rules.ts'
import { PaddockError } from '../../../../shared/errors/paddock-error.ts'
import { inspectContainers, removeContainer } from '../../engine/containers.ts'
import { assess, type Workshop } from '../../images/assess.ts'
import { hostCaBundle } from '../../images/host-network.ts'
import { refresh } from '../../images/refresh.ts'
import { startTicksOf } from '../../process/start-ticks.ts'
import { proxyProfile } from '../../../../shared/domain/profile.ts'
import { findProfile } from '../../profiles/find-profiles.ts'
import { writeJson } from '../../store/write-json.ts'
import { egressHook } from '../egress-hook.ts'
import { readHostNetwork } from '../host-network.ts'
import { proxyConfig } from './proxy-config.ts'
import { proxyLabel, type ProxyPlace, portRange } from './proxy-place.ts'
import { findUpstream } from './upstream.ts'

export interface ProxyServices {
  workshop: Workshop
  place: ProxyPlace
  nft: string
  environment: NodeJS.ProcessEnv
}

const runningSchema = z.object({ id: z.string(), pid: z.number(), startTicks: z.string(), ports: z.array(z.number()) })
type Running = z.infer<typeof runningSchema>

/** The ports of the proxy that runs; null when none does. */
export async function runningProxy({ runningFile }: ProxyPlace): Promise<number[] | null> {
  const running = await readRunning(runningFile)
  return running !== null && startTicksOf(running.pid) === running.startTicks ? running.ports : null
}

async function readRunning(file: string): Promise<Running | null> {
  try {
    return runningSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return null
  }
}

/**
 * Sees to it that the proxy runs, and builds its image first where that is missing or stale. One that runs already is left
 * as it is. One that was killed comes back with the ports that sandboxes have.
 * @returns its ports
 * @throws {PaddockError} `egress-unavailable`, `egress-broken`, and what a build throws
 */
export async function ensureProxy(services: ProxyServices, context: CallContext): Promise<number[]> {
  const { place, workshop } = services
  const before = await runningProxy(place)
  if (before !== null) return before
  const profile = await findProfile(workshop.folders, proxyProfile)
  await refresh(workshop, await assess(workshop, profile), {}, context)
  const { withBuildLock } = await import('../../images/build-lock.ts')
  // Of two that are started at once, one starts it.
  return withBuildLock(place.folder, context, async () => (await runningProxy(place)) ?? (await start(services, profile.image, context)))
}

const rangeTries = 5

async function start(services: ProxyServices, image: string, context: CallContext): Promise<number[]> {
  const { place } = services
  context.onProgress({ kind: 'step', text: 'Starting the proxy of sandboxes with an allowlist' })
  for (const folder of [place.policiesFolder, place.logFolder, place.historyFolder, place.configFolder, place.hooksFolder]) await mkdir(folder, { recursive: true, mode: 0o700 })
  const known = (await readRunning(place.runningFile))?.ports
  const ranges = [...(known ? [known] : []), ...Array.from({ length: rangeTries }, (_each, attempt) => portRange(place, attempt))]
  for (const [at, ports] of ranges.entries()) {
    const failure = await startWith(services, image, ports)
    if (failure === null) return ports
    const isTaken = /address already in use|failed to bind|couldn't listen|could not listen/i.test(failure)
    if (!isTaken || at === ranges.length - 1) throw unavailable(failure.split('\n').at(-1)!.replace(/^Error: /, ''), failure)
  }
  throw new Error('unreachable')
}

/** @returns what Podman complains of; null when it runs */
async function startWith({ workshop: { podman }, place, nft, environment }: ProxyServices, image: string, ports: number[]): Promise<string | null> {
  const host = readHostNetwork()
  const upstream = await findUpstream(environment)
  const rules = egressRules({
    mode: 'open',
    mark: place.name,
    host: host.addresses,
    resolvers: [pastaResolver],
    places: upstream === null ? [] : [{ to: upstream.address, port: upstream.port }],
    published: { tcp: [], udp: [] },
  })
  const closed = [...Object.values(rules.sets).flatMap(({ elements }) => elements), ...beyondInternet6]
  const bundle = hostCaBundle(environment)
  await Promise.all([
    writeFile(place.configFile, proxyConfig({ ports, closed, upstream }), { mode: 0o600 }),
    bundle === undefined ? null : copyFile(bundle, `${place.configFolder}/ca.crt`),
    writeFile(place.rulesFile, formatEgressRules(rules), { mode: 0o600 }),
    writeFile(place.hookFile, egressHook({ nft, rulesFile: place.rulesFile, receiptFile: place.receiptFile, hostNetns: host.netns }), { mode: 0o600 }),
    writeFile(place.receiptFile, '', { mode: 0o600 }),
  ])
  await removeContainer(podman, place.name)
  const started = await podman.try([`--hooks-dir=${place.hooksFolder}`, ...proxyCommand(place, image, ports)])
  if (started.exitCode !== 0) return `${started.stderr.trim()}`
  const id = started.stdout.trim().split('\n').at(-1)!
  const [container] = await inspectContainers(podman, [id])
  const pid = container?.State.Pid ?? 0
  const receipt = parseReceipt(await readFile(place.receiptFile, 'utf8'))
  const why = receipt === null ? 'Podman did not run the hook that puts them in place' : judgeReceipt(receipt, { rules, sandboxId: id, hostNetns: host.netns })
  if (why !== null) {
    await removeContainer(podman, id)
    throw new PaddockError({ code: 'egress-broken', message: `The network rules of the proxy are not in place: ${why}. It was stopped.` })
  }
  const startTicks = startTicksOf(pid)
  if (startTicks === null || !(await answers(ports[0]!, pid))) {
    const { stderr, stdout } = await podman.try(['logs', '--tail', '20', id], { maxOutput: 20_000 }).catch(() => ({ stderr: '', stdout: '' }))
    await removeContainer(podman, id)
    throw unavailable('Squid did not start', `${stdout}${stderr}`)
  }
  await writeJson(place.runningFile, { id, pid, startTicks, ports } satisfies Running)
  return null
}

/** As hardened as a sandbox, without anything of the person's but its own files. */
function proxyCommand(place: ProxyPlace, image: string, ports: readonly number[]): string[] {
  return [
    'run', '--detach', '--rm', '--name', place.name, '--label', `${proxyLabel}=${place.folder}`, '--runtime', 'crun',
    '--network', `pasta:-t,127.0.0.1/${ports[0]}-${ports.at(-1)}`, '--http-proxy=false',
    '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--read-only', '--read-only-tmpfs=false',
    '--tmpfs', '/run:rw,noexec,nosuid,nodev,size=4m,mode=1777', '--tmpfs', '/tmp:rw,noexec,nosuid,nodev,size=16m', '--tmpfs', '/dev/shm:rw,noexec,nosuid,nodev,size=16m',
    '--pids-limit', '64', '--ulimit', 'nofile=4096:4096', '--user', 'proxy', '--userns', 'keep-id:uid=13,gid=13',
    '--log-driver', 'k8s-file', '--log-opt', 'max-size=1mb',
    '--volume', `${place.policiesFolder}:/run/paddock/policies:ro,z`,
    '--volume', `${place.configFolder}:/run/paddock/proxy:ro,z`,
    '--volume', `${place.logFolder}:/run/paddock/log:rw,z`,
    image,
  ]
}

const startWithinMs = 20_000
const lookAgainMs = 20

/** Whether Squid takes connections before long: pasta does so from the start, and drops those that nobody takes. */
async function answers(port: number, pid: number): Promise<boolean> {
  const end = performance.now() + startWithinMs
  while (performance.now() < end && startTicksOf(pid) !== null) {
    if (await isTaken(port)) return true
    await sleep(lookAgainMs)
  }
  return false
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write('GET / HTTP/1.0\r\n\r\n'))
    const end = (isIt: boolean) => {
      socket.destroy()
      resolve(isIt)
    }
    socket.once('data', () => end(true))
    for (const event of ['error', 'close', 'timeout'] as const) socket.once(event, () => end(false))
    socket.setTimeout(1_000)
  })
}

function unavailable(why: string, stderrTail: string): PaddockError {
  return new PaddockError({ code: 'egress-unavailable', message: `The proxy for an allowlist could not be started: ${why}.`.replace(/\.\.$/, '.'), hint: 'Launch with --egress deny, or mend what Podman complains of.', stderrTail: stderrTail.trim().slice(-2_000) })
}
