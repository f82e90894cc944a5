import { randomUUID } from 'node:crypto'
import { copyFile, realpath } from 'node:fs/promises'
import type { CallContext, Input, LaunchPlan } from '../../../shared/contract/contract.ts'
import { capsOf } from '../../../shared/domain/caps.ts'
import { decideIsolation } from '../../../shared/domain/decide-isolation.ts'
import { type EgressMode, egressModeOf, isWider, writtenAllowances } from '../../../shared/domain/egress.ts'
import { type Finding, findingsOf, needsConsent } from '../../../shared/domain/findings.ts'
import { planLaunch } from '../../../shared/domain/launch.ts'
import { microvmObstacle, mustAvoidPasst, type MicrovmFacts } from '../../../shared/domain/microvm.ts'
import { baseProfile } from '../../../shared/domain/profile.ts'
import { purposeOf } from '../../../shared/domain/profile-words.ts'
import { lastValueOf, type RunArguments } from '../../../shared/domain/run-flags.ts'
import { expandRunLabel, formatRunCommand, parseRunLabel } from '../../../shared/domain/run-label.ts'
import type { Isolation } from '../../../shared/domain/sandbox.ts'
import type { Settings } from '../../../shared/domain/settings.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { readHostNetwork } from '../egress/host-network.ts'
import type { ReservedLane } from '../egress/proxy/enter-proxy.ts'
import { proxyPlace } from '../egress/proxy/proxy-place.ts'
import { nftMissing, prepareEgress } from '../egress/prepare-egress.ts'
import { isPodmanAwake } from '../engine/recovery.ts'
import { assess, runLabelOf, type Workshop } from '../images/assess.ts'
import { companyCaBundle } from '../images/host-network.ts'
import { refresh } from '../images/refresh.ts'
import { findProfile, type Profile } from '../profiles/find-profiles.ts'
import { type Paths, userName } from '../store/paths.ts'
import { unenforcedCaps, unenforcedNote } from './cgroup-limits.ts'
import { createEgressFiles, createLaunchRecord, type LaunchRecord, launchRecord, removeLaunchRecord } from './launch-record.ts'
import { confirmProject, openProject } from './open-project.ts'
import { prepareHomes } from './prepare-home.ts'

/** What a launch needs to know of its surroundings. */
export interface Launcher {
  workshop: Workshop
  paths: Paths
  settings: Settings
  probeMicrovm: () => Promise<MicrovmFacts>
  /** Path of nft; null when there is none. */
  findNft: () => string | null
  /** A folder of Paddock's own that was made to be this launch's project. */
  throwaway?: string | undefined
}

/**
 * Does everything that comes before `podman run`: checks, builds what is missing or stale, and writes the command.
 * Nothing is left behind when it fails.
 * @throws {PaddockError}
 */
export async function prepareLaunch(launcher: Launcher, input: Input<'sandbox.prepare'>, context: CallContext): Promise<LaunchPlan> {
  const { workshop, paths } = launcher
  const [profile, project] = await Promise.all([findProfile(workshop.folders, input.profile), openProject(input.project ?? '.', input.cwd, paths, launcher.throwaway)])
  if (profile.name === baseProfile) throw notRunnable(profile)
  // With a fresh image nothing else asks Podman, whose first call mends what is wrong with it.
  if (!isPodmanAwake()) await workshop.podman.try(['ps', '--quiet'], { signal: context.signal })
  const before = await assess(workshop, profile)
  const [unenforced, host, nft] = [unenforcedCaps(), readHostNetwork(), launcher.findNft()]
  // Nobody should wait for a build only to hear that its label cannot be launched here.
  const expected = runLabelOf(before)
  const early = expected === undefined ? null : await judgeLabel(launcher, profile, expected, input)
  if (nft === null) throw nftMissing()
  const { assessment } = await refresh(workshop, before, {}, context)
  const built = assessment.image?.labels.run
  const { label, findings, isolation, egress, avoidPasst } = early !== null && built === expected ? early : await judgeLabel(launcher, profile, built, input)
  const expanded = expandRunLabel(label, {
    PWD: project.folder,
    HOME: paths.home,
    USER: userName(),
    IMAGE: profile.image,
    NAME: profile.image.slice(profile.image.lastIndexOf('/') + 1).split(':')[0]!,
  })
  await confirmProject(project)
  const homeNotes = await prepareHomes(expanded.options, paths.homesFolder)
  // With a fresh image nothing above listens, and a launch that was called off must not start.
  if (context.signal.aborted) throw new PaddockError({ code: 'cancelled', message: 'Cancelled.' })
  const record = launchRecord(paths.launchesFolder, randomUUID())!
  const lane = egress === 'allowlist' ? await reserveLane(launcher, nft, record, context) : null
  const caBundle = lane === null ? null : companyCaBundle(process.env)
  const { run, rules, weakness } = await recordLaunch(record, lane, async () => {
    await createLaunchRecord(record, paths.runtimeKeysFolder)
    const planned = planLaunch(expanded, {
      ...record,
      // A volume names the place itself.
      channelFolder: await realpath(record.channelFolder),
      profile: profile.name,
      project: project.folder,
      isolation,
      egress,
      tty: input.tty,
      command: input.command,
      caps: capsOf(label.options),
      avoidPasst,
      proxyPort: lane?.port ?? null,
      caFile: caBundle === null ? null : record.caFile,
      canLimit: { memory: !unenforced.includes('ramMib'), cpus: !unenforced.includes('cpus') },
    })
    const prepared = prepareEgress(egress, planned.options, host, nft, record, lane?.port ?? null)
    if (prepared.files !== null) await createEgressFiles(record, prepared.files)
    if (caBundle !== null) await copyFile(caBundle, record.caFile)
    await lane?.settle(record, { profile: profile.name, project: project.folder, words: writtenAllowances(label.options) })
    return { ...prepared, run: planned }
  })
  const sharesKernel = isolation === 'container' && lastValueOf(label.options, '--runtime') === 'krun'
  const weaknesses = [weakness, sharesKernel ? 'Container isolation: the sandbox shares the host’s kernel.' : null, unenforcedNote(unenforced, isolation === 'microvm')]
  const passtNote = 'Network through TSI (krun.use_passt=0): the installed passt does not work with this krun.'
  return {
    launchId: record.launchId,
    profile: profile.name,
    project: project.folder,
    isolation,
    egress,
    rules,
    proxyPort: lane?.port ?? null,
    command: workshop.podman.command([...(rules === null ? [] : [`--hooks-dir=${record.hooksFolder}`]), ...formatRunCommand(run)]),
    findings,
    notes: [...project.notes, ...homeNotes, ...(avoidPasst && egress === 'open' ? [passtNote] : [])],
    weaknesses: weaknesses.filter((weakness) => weakness !== null),
  }
}

/** Makes what a launch leaves on the disk; what fails gives its place at the proxy back. */
async function recordLaunch<T>(record: LaunchRecord, lane: ReservedLane | null, make: () => Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    await Promise.all([lane?.release(), removeLaunchRecord(record)])
    throw error
  }
}

/** Loaded when first needed: other launches should start at once. */
async function reserveLane({ workshop, paths }: Launcher, nft: string, record: LaunchRecord, context: CallContext): Promise<ReservedLane> {
  const [{ enterProxy }, { createPolicyStore }] = await Promise.all([import('../egress/proxy/enter-proxy.ts'), import('../egress/proxy/policy-store.ts')])
  const services = { workshop, place: proxyPlace(paths.egressFolder), nft, environment: process.env }
  return enterProxy(services, createPolicyStore(paths.launchesFolder, paths.egressFile), record, context)
}

/** What a label means for a launch on this host. */
interface Judgement {
  label: RunArguments
  findings: Finding[]
  isolation: Isolation
  egress: EgressMode
  avoidPasst: boolean
}

async function judgeLabel(launcher: Launcher, profile: Profile, text: string | undefined, input: Input<'sandbox.prepare'>): Promise<Judgement> {
  if (text === undefined) throw notRunnable(profile)
  const label = parseRunLabel(text)
  const findings = findingsOf(label)
  requireConsent(profile, findings, input.acceptFindings)
  const written = egressModeOf(label.options)
  const egress = input.egress ?? written
  if (isWider(egress, written) && !input.acceptFindings) throw widerEgress(profile, egress, written)
  const isolation = decideIsolation({ flag: input.isolation, setting: launcher.settings.isolation, runtime: lastValueOf(label.options, '--runtime') })
  return { label, findings, isolation, egress, avoidPasst: isolation === 'microvm' && (await requireMicrovm(launcher)) }
}

function notRunnable(profile: Profile): PaddockError {
  return new PaddockError({
    code: 'profile-not-runnable',
    message: `Profile "${profile.name}" cannot be run: it has no LABEL run.`,
    hint: `${purposeOf(profile)} "paddock profiles" lists what can be.`,
  })
}

function requireConsent(profile: Profile, findings: readonly Finding[], isAccepted: boolean): void {
  if (isAccepted || !needsConsent(findings)) return
  const high = findings.filter(({ level }) => level === 'high').map(({ message }) => message)
  throw new PaddockError({
    code: 'findings-not-accepted',
    message: `Profile "${profile.name}" asks for more power than a sandbox should have: ${high.join(' ')}`,
    hint: 'If you mean it, say so with --accept-findings.',
  })
}

function widerEgress(profile: Profile, egress: EgressMode, written: EgressMode): PaddockError {
  return new PaddockError({
    code: 'findings-not-accepted',
    message: `--egress ${egress} lets out more than profile "${profile.name}", which says ${written}.`,
    hint: 'If you mean it, say so with --accept-findings.',
  })
}

/** @returns true when the network has to go through TSI instead of passt */
async function requireMicrovm({ probeMicrovm }: Launcher): Promise<boolean> {
  const facts = await probeMicrovm()
  const obstacle = microvmObstacle(facts)
  if (obstacle === null) return mustAvoidPasst(facts)
  throw new PaddockError({
    code: 'isolation-unavailable',
    message: `This profile runs in a microVM, and this host cannot run one: ${obstacle.why}.`,
    hint: `${obstacle.fix} Or choose a container, which shares the host’s kernel: once with --isolation container, for good with PADDOCK_ISOLATION=container or "isolation": "container" in the settings.`,
  })
}
