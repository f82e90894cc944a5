import { type Command, InvalidArgumentError } from 'commander'
import { ageInDays, daysInWords, mayBreak, defaultMinAgeDays, type PinReport, type UpgradeReport } from '../../../shared/domain/upgrade.ts'
import { exitCodeOf, type ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { printError, printJson, printListing, printNote } from '../print.ts'
import type { CommandContext } from '../program.ts'

interface UpgradeFlags {
  check?: boolean
  minAge: number
  json?: boolean
}

/** Adds `paddock upgrade`. */
export function addUpgradeCommand(program: Command, { session, finish }: CommandContext): void {
  program
    .command('upgrade')
    .summary('take newer versions of pinned agents and npm packages')
    .description('Looks in your npm registry for newer versions of what a profile and those below it pin, and writes the pins. A bundled profile is copied first.')
    .argument('[profile]', 'profile (default: default)')
    .option('--check', 'change nothing; exit 1 when something is out of date')
    .option('--min-age <days>', 'hold back versions that are younger', readDays, defaultMinAgeDays)
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, { check = false, minAge, json = false }: UpgradeFlags) => {
      const report = await session.call('profile.upgrade', { name, minAgeDays: minAge, apply: !check })
      if (json || !process.stdout.isTTY) printJson(report)
      else printListing(report.pins, false, columns, 'Nothing is pinned.')
      tell(report, check)
      finish(exitCode(report, check))
    })
}

function readDays(text: string): number {
  const days = Number(text)
  if (text.trim() === '' || !Number.isFinite(days) || days < 0) throw new InvalidArgumentError('It must be a number of days.')
  return days
}

const columns: Record<string, (pin: PinReport) => string> = {
  PACKAGE: ({ npm }) => npm,
  PROFILE: ({ profile }) => profile,
  VERSION: ({ current, next }) => (next ? `${current} → ${next.version}` : current),
  AGE: ({ next }) => (next ? daysInWords(next.ageDays) : ''),
  NOTES: ({ current, next, held, error }) =>
    error ?? [next && mayBreak(current, next.version) ? 'a new major version' : null, held && `${held.version} is held back: ${daysInWords(held.ageDays)} old`].filter(Boolean).join('; '),
}

function tell({ pins, written, bases }: UpgradeReport, check: boolean): void {
  for (const { image, created } of bases) {
    if (created !== null) printNote(`The base image ${image} is ${daysInWords(ageInDays(new Date(created), new Date()))} old; "paddock rebuild --pull" gets the newest.`)
  }
  for (const file of written) printNote(`Wrote ${file}; the next launch or "paddock build" builds the image anew.`)
  const failed = pins.filter(({ state }) => state === 'failed')
  if (failed.length > 0) printError(failure(failed, check))
  else if (pins.length > 0 && !pins.some(({ state }) => state === 'newer')) printNote('All that is pinned is up to date.')
}

function failure(failed: readonly PinReport[], check: boolean): ErrorReport {
  const first = failed[0]!
  return {
    code: 'registry-failed',
    message: `The registry gave no answer to trust for ${failed.map(({ npm }) => npm).join(', ')}: ${first.error}.${check ? '' : ' Nothing was changed.'}`,
    hint: '"npm ping" tells whether your registry answers; npm’s own configuration says which it is.',
  }
}

function exitCode({ pins }: UpgradeReport, check: boolean): number {
  if (pins.some(({ state }) => state === 'failed')) return exitCodeOf('registry-failed')
  return check && pins.some(({ state }) => state === 'newer') ? 1 : 0
}
