import { rm } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import type { Input, LaunchPlan } from '../../../shared/contract/contract.ts'
import { type EgressMode, egressModes } from '../../../shared/domain/egress.ts'
import { isolationSchema } from '../../../shared/domain/sandbox.ts'
import { type ErrorReport, exitCodeOf, PaddockError } from '../../../shared/errors/paddock-error.ts'
import { partingWords } from '../../../shared/domain/terminal-end.ts'
import { isStillRunning } from '../../core/engine/containers.ts'
import { launchRecord, sandboxIdOf } from '../../core/sandboxes/launch-record.ts'
import { runLaunch } from '../../core/sandboxes/run-launch.ts'
import { ask, canAsk } from '../ask.ts'
import { printNote, printRemark } from '../print.ts'
import type { CommandContext } from '../program.ts'
import type { Session } from '../session.ts'

interface RunFlags {
  project?: string
  isolation?: 'microvm' | 'container'
  egress?: EgressMode
  baseImage?: string
  acceptFindings?: boolean
}

/** Adds `paddock run`, which exits as the sandbox does. */
export function addRunCommand(program: Command, { session, passed, finish }: CommandContext): void {
  program
    .command('run')
    .summary('build what is missing or stale, then launch a sandbox here')
    .description('Builds what is missing or stale, then launches a sandbox on a project folder in this terminal.')
    .argument('[profile]', 'profile to run (default: default)')
    .usage('[options] [profile] [-- COMMAND...]')
    .option('--project <dir>', 'folder to mount at /home/ai/sandbox (default: this folder)')
    .addOption(new Option('--isolation <kind>', 'what separates the sandbox from this machine').choices(isolationSchema.options))
    .addOption(new Option('--egress <mode>', 'what it may reach, instead of what the profile says').choices(egressModes))
    .option('--base-image <image>', 'image that profiles are built from')
    .option('--accept-findings', 'launch although the profile asks for dangerous power, or --egress lets out more than the profile')
    .addHelpText('after', '\nExit code: the sandbox’s own; 2 for a wrong use, 125 when the sandbox could not be started.')
    .action(async (profile: string | undefined, flags: RunFlags) => {
      const tty = process.stdin.isTTY === true && process.stdout.isTTY === true
      const plan = await prepare(session, {
        profile,
        project: flags.project,
        // Where the person stood when npm changed to Paddock's own folder.
        cwd: process.env.PADDOCK_CWD ?? process.cwd(),
        isolation: flags.isolation,
        egress: flags.egress,
        baseImage: flags.baseImage,
        tty,
        command: passed,
        acceptFindings: flags.acceptFindings ?? false,
      })
      for (const note of [...plan.notes, ...plan.weaknesses]) printNote(note)
      const missing = plan.findings.filter(({ level }) => level === 'medium').length
      if (missing > 0) printNote(`The label of this profile has ${missing} weakness${missing === 1 ? '' : 'es'}; "paddock profiles" names ${missing === 1 ? 'it' : 'them'}.`)
      const { podman, paths } = session.core
      const exitCode = await runLaunch(podman, paths.launchesFolder, plan, tty)
      // Podman may have failed because its storage is not what was remembered of it; the next launch asks anew.
      if (exitCode === exitCodeOf('podman-failed')) await rm(paths.imageFactsFile, { force: true })
      if (tty) await sayParting(session, plan, exitCode)
      finish(exitCode)
    })
}

/** The record of a launch goes with its sandbox, so one that is still there may be of a sandbox that runs on. */
async function sayParting({ core: { podman, paths } }: Session, { launchId }: LaunchPlan, exitCode: number): Promise<void> {
  const record = launchRecord(paths.launchesFolder, launchId)
  const id = record && sandboxIdOf(record)
  const words = partingWords(id && (await isStillRunning(podman, id)) ? id : null, exitCode)
  if (words !== null) printRemark(words)
}

type PrepareInput = Input<'sandbox.prepare'>

/** Prepares a launch; where only the person's consent is missing and there is a person, asks for it. */
async function prepare(session: Session, input: PrepareInput): Promise<LaunchPlan> {
  try {
    return await session.call('sandbox.prepare', input)
  } catch (error) {
    if (!(error instanceof PaddockError) || !canAsk()) throw error
    const change = await askForConsent(session, error.report)
    if (change === null) throw error
    return prepare(session, { ...input, ...change })
  }
}

async function askForConsent(session: Session, report: ErrorReport): Promise<Partial<PrepareInput> | null> {
  if (report.code === 'findings-not-accepted') {
    printNote(report.message)
    return (await ask('Launch all the same? [y/N]')).startsWith('y') ? { acceptFindings: true } : null
  }
  if (report.code !== 'isolation-unavailable') return null
  printNote(report.message)
  printNote('A container is hardened too, but it shares this machine’s kernel: a hole in the kernel is a way out.')
  const answer = await ask('Launch in a container? [o]nce, [a]lways, [N]o:')
  if (!answer.startsWith('o') && !answer.startsWith('a')) return null
  if (answer.startsWith('a')) await session.call('settings.set', { isolation: 'container' })
  return { isolation: 'container' }
}
