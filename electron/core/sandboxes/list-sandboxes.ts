import { capsOf, noCaps } from '../../../shared/domain/caps.ts'
import { wantsDesktop } from '../../../shared/domain/desktop.ts'
import { sandboxLabels } from '../../../shared/domain/launch.ts'
import { profileOfImage } from '../../../shared/domain/profile.ts'
import { judgeIsolation, projectMountPoint, type Sandbox } from '../../../shared/domain/sandbox.ts'
import { hasStarted, inspectContainers, type InspectedContainer, listContainers, type ListedContainer, optionsOf } from '../engine/containers.ts'
import type { Podman } from '../engine/podman.ts'
import { proxyLabel } from '../egress/proxy/proxy-place.ts'
import { enforcedEgress } from '../egress/enforced-egress.ts'
import { channelProblem } from '../guest/way-in.ts'
import { imageLabels } from '../profiles/staleness.ts'
import { type EnforceableCap, unenforcedCaps } from './cgroup-limits.ts'
import { bootIdFile, hostBootId } from './host-boot-id.ts'
import { isVerifiedMicrovm, type LaunchRecord, launchRecord, readReportedBootId, removeLeftOverRecords } from './launch-record.ts'

/** Lists every sandbox, however it was started; one that cannot be inspected is listed as broken. */
export async function listSandboxes(podman: Podman, launchesFolder: string): Promise<Sandbox[]> {
  const listed = (await listContainers(podman)).filter(isSandbox)
  await removeLeftOverRecords(launchesFolder, new Set(listed.flatMap(({ Labels }) => Labels?.[sandboxLabels.launch] ?? [])))
  if (listed.length === 0) return []
  const [inspected, hostBoot] = await Promise.all([inspectEach(podman, listed.map(({ Id }) => Id)), hostBootId()])
  const unenforced = unenforcedCaps()
  const sandboxes = listed.map(async (container) => {
    const found = inspected.get(container.Id)
    // Gone between the two questions: `--rm` sandboxes vanish when they end.
    if (found === null) return []
    if (found === undefined || found instanceof Error) return [brokenSandbox(container, found)]
    try {
      const record = launchRecord(launchesFolder, found.Config.Labels?.[sandboxLabels.launch] ?? '')
      const [isolation, egress, problem] = await Promise.all([
        measureIsolation(podman, record, found, hostBoot),
        enforcedEgress(record, found),
        found.State.Status === 'running' ? channelProblem(record, found) : null,
      ])
      return [{ ...describe(found, isolation, unenforced), egress, channelProblem: problem }]
    } catch (error) {
      return [brokenSandbox(container, error as Error)]
    }
  })
  return (await Promise.all(sandboxes)).flat()
}

/** Whether a container is one of Paddock's, by its labels or its image. */
export function isSandbox({ Labels, Image }: Pick<ListedContainer, 'Labels' | 'Image'>): boolean {
  if (Labels?.[proxyLabel] !== undefined) return false
  return Labels?.[sandboxLabels.launch] !== undefined || Labels?.[imageLabels.source] !== undefined || profileOfImage(Image) !== null
}

/** All at once; if that fails, one by one, so that one broken container does not hide the others. */
export async function inspectEach(podman: Podman, ids: readonly string[]): Promise<Map<string, InspectedContainer | Error | null>> {
  try {
    const all = await inspectContainers(podman, ids)
    return new Map(ids.map((id) => [id, all.find(({ Id }) => Id === id) ?? null]))
  } catch {
    const one = async (id: string) => (await inspectContainers(podman, [id]))[0] ?? null
    return new Map(await Promise.all(ids.map(async (id) => [id, await one(id).catch((error: Error) => error)] as const)))
  }
}

function brokenSandbox({ Id, Image, Labels }: ListedContainer, error: Error | undefined): Sandbox {
  return {
    id: Id,
    profile: Labels?.[sandboxLabels.profile] ?? profileOfImage(Image) ?? Image,
    project: Labels?.[sandboxLabels.project] ?? null,
    state: 'broken',
    isolation: 'unverified',
    egress: 'unenforced',
    startedAt: null,
    caps: { ...noCaps, unenforced: [] },
    ports: [],
    hasDesktop: false,
    channelProblem: null,
    error: error?.message ?? 'It cannot be inspected.',
  }
}

const measureTimeoutMs = 3_000

/**
 * What was measured: the launcher's verdict for a microVM, else the entrypoint's report, or, without one, a question
 * that only a container answers. A report can be overwritten later, so it alone never makes a sandbox a microVM.
 */
async function measureIsolation(podman: Podman, record: LaunchRecord | null, container: InspectedContainer, hostBoot: string): Promise<Sandbox['isolation']> {
  const seen = (record && readReportedBootId(record)) ?? (await askBootId(podman, container))
  if (seen === null) return 'unverified'
  const judged = judgeIsolation(seen, hostBoot, container.OCIRuntime)
  if (judged !== 'microvm') return judged
  return record && (await isVerifiedMicrovm(record, container.Id)) ? 'microvm' : 'unverified'
}

async function askBootId(podman: Podman, { Id, State }: InspectedContainer): Promise<string | null> {
  if (State.Status !== 'running') return null
  const asked = await podman.try(['exec', Id, 'cat', bootIdFile], { timeoutMs: measureTimeoutMs, maxOutput: 1_000 })
  return asked.exitCode === 0 ? asked.stdout : null
}

function describe(container: InspectedContainer, isolation: Sandbox['isolation'], unenforced: readonly EnforceableCap[]): Omit<Sandbox, 'egress' | 'channelProblem'> {
  const labels = container.Config.Labels ?? {}
  const options = optionsOf(container)
  const caps = capsOf(options)
  const isOpen = (cap: EnforceableCap) => caps[cap] !== null && (isolation !== 'microvm' || cap === 'pids')
  return {
    id: container.Id,
    profile: labels[sandboxLabels.profile] ?? profileOfImage(container.ImageName) ?? container.ImageName,
    project: container.Mounts.find(({ Destination }) => Destination === projectMountPoint)?.Source ?? null,
    state: container.State.Status,
    isolation,
    startedAt: hasStarted(container) ? new Date(container.State.StartedAt).toISOString() : null,
    caps: { ...caps, unenforced: unenforced.filter(isOpen) },
    ports: portsOf(container),
    hasDesktop: wantsDesktop(options),
    error: container.State.Error || null,
  }
}

function portsOf({ NetworkSettings }: InspectedContainer): Sandbox['ports'] {
  return Object.entries(NetworkSettings.Ports ?? {}).flatMap(([key, bindings]) => {
    const [port, protocol = 'tcp'] = key.split('/')
    return (bindings ?? []).map(({ HostIp, HostPort }) => ({ host: HostIp || '0.0.0.0', hostPort: Number(HostPort), sandboxPort: Number(port), protocol }))
  })
}
