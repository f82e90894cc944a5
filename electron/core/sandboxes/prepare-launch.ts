import { randomUUID } from 'node:crypto'
import type { CallContext, Input, LaunchPlan } from '../../../shared/contract/contract.ts'
import { capsOf } from '../../../shared/domain/caps.ts'
import { decideIsolation } from '../../../shared/domain/decide-isolation.ts'
import { type Finding, findingsOf, needsConsent } from '../../../shared/domain/findings.ts'
import { planLaunch } from '../../../shared/domain/launch.ts'
import { microvmObstacle, mustAvoidPasst, type MicrovmFacts } from '../../../shared/domain/microvm.ts'
import { baseProfile } from '../../../shared/domain/profile.ts'
import { lastValueOf, type RunArguments } from '../../../shared/domain/run-flags.ts'
import { expandRunLabel, formatRunCommand, parseRunLabel } from '../../../shared/domain/run-label.ts'
import type { Isolation } from '../../../shared/domain/sandbox.ts'
import type { Settings } from '../../../shared/domain/settings.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { assess, runLabelOf, type Workshop } from '../images/assess.ts'
import { refresh } from '../images/refresh.ts'
import { findProfile, type Profile } from '../profiles/find-profiles.ts'
import { type Paths, userName } from '../store/paths.ts'
import { unenforcedCaps, unenforcedNote } from './cgroup-limits.ts'
import { createLaunchRecord, launchRecord } from './launch-record.ts'
import { openProject } from './open-project.ts'
import { prepareHomes } from './prepare-home.ts'

/** What a launch needs to know of its surroundings. */
export interface Launcher {
  workshop: Workshop
  paths: Paths
  settings: Settings
  probeMicrovm: () => Promise<MicrovmFacts>
}

/**
 * Does everything that comes before `podman run`: checks, builds what is missing or stale, and writes the command.
 * Nothing is left behind when it fails.
 * @throws {PaddockError}
 */
export async function prepareLaunch(launcher: Launcher, input: Input<'sandbox.prepare'>, context: CallContext): Promise<LaunchPlan> {
  const { workshop, paths } = launcher
  const profile = await findProfile(workshop.folders, input.profile)
  if (profile.name === baseProfile) throw notRunnable(profile)
  const [project, unenforced, before] = await Promise.all([openProject(input.project ?? '.', input.cwd, paths), unenforcedCaps(), assess(workshop, profile)])
  // Nobody should wait for a build only to hear that its label cannot be launched here.
  const expected = runLabelOf(before)
  const early = expected === undefined ? null : await judgeLabel(launcher, profile, expected, input)
  const { assessment } = await refresh(workshop, before, false, context)
  const built = assessment.image?.labels.run
  const { label, findings, isolation, avoidPasst } = early !== null && built === expected ? early : await judgeLabel(launcher, profile, built, input)
  const expanded = expandRunLabel(label, {
    PWD: project.folder,
    HOME: paths.home,
    USER: userName(),
    IMAGE: profile.image,
    NAME: profile.image.slice(profile.image.lastIndexOf('/') + 1).split(':')[0]!,
  })
  const homeNotes = await prepareHomes(expanded.options, paths.homesFolder)
  // With a fresh image nothing above listens, and a launch that was called off must not start.
  if (context.signal.aborted) throw new PaddockError({ code: 'cancelled', message: 'Cancelled.' })
  const record = launchRecord(paths.launchesFolder, randomUUID())!
  await createLaunchRecord(record)
  const run = planLaunch(expanded, {
    ...record,
    profile: profile.name,
    project: project.folder,
    isolation,
    tty: input.tty,
    command: input.command,
    caps: capsOf(label.options),
    avoidPasst,
    canLimit: { memory: !unenforced.includes('ramMib'), cpus: !unenforced.includes('cpus') },
  })
  const notes = [...project.notes, ...homeNotes, ...launchNotes(isolation, lastValueOf(label.options, '--runtime'), avoidPasst), unenforcedNote(unenforced, isolation === 'microvm')]
  return {
    launchId: record.launchId,
    profile: profile.name,
    project: project.folder,
    isolation,
    command: workshop.podman.command(formatRunCommand(run)),
    findings,
    notes: notes.filter((note) => note !== null),
  }
}

/** What a label means for a launch on this host. */
interface Judgement {
  label: RunArguments
  findings: Finding[]
  isolation: Isolation
  avoidPasst: boolean
}

async function judgeLabel(launcher: Launcher, profile: Profile, text: string | undefined, input: Input<'sandbox.prepare'>): Promise<Judgement> {
  if (text === undefined) throw notRunnable(profile)
  const label = parseRunLabel(text)
  const findings = findingsOf(label)
  requireConsent(profile, findings, input.acceptFindings)
  const isolation = decideIsolation({ flag: input.isolation, setting: launcher.settings.isolation, runtime: lastValueOf(label.options, '--runtime') })
  return { label, findings, isolation, avoidPasst: isolation === 'microvm' && (await requireMicrovm(launcher)) }
}

function notRunnable(profile: Profile): PaddockError {
  return new PaddockError({
    code: 'profile-not-runnable',
    message: `Profile "${profile.name}" cannot be run: it has no LABEL run.`,
    hint: 'It is there to be built on; run a profile that starts FROM it, such as default.',
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

function launchNotes(isolation: Isolation, runtime: string | undefined, avoidPasst: boolean): (string | null)[] {
  return [
    isolation === 'container' && runtime === 'krun' ? 'Container isolation: the sandbox shares the host’s kernel.' : null,
    avoidPasst ? 'Network through TSI (krun.use_passt=0): the installed passt does not work with this krun.' : null,
  ]
}
