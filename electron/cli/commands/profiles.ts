import type { Command } from 'commander'
import type { ProfileStatus } from '../../../shared/domain/profile.ts'
import { purposeOf } from '../../../shared/domain/profile-words.ts'
import { daysInWords, ageInDays } from '../../../shared/domain/upgrade.ts'
import { printListing, printNote } from '../print.ts'
import type { CommandContext } from '../program.ts'

/** Adds `paddock profiles`, `build` and `rebuild`. */
export function addProfileCommands(program: Command, { session }: CommandContext): void {
  program
    .command('profiles')
    .summary('list profiles, how their images stand, and their caps')
    .description('Lists profiles with the state of their images and their caps. JSON with --json or when stdout is no terminal.')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      printListing(await session.call('profile.list', {}), json, columns, 'There are no profiles.')
    })

  const build = async (profile: string | undefined, { baseImage, pull = false }: BuildFlags, force: boolean) => {
    const { built, image } = await session.call('profile.build', { profile, baseImage, force, pull })
    printNote(built.length === 0 ? `${image} is fresh; nothing was built.` : `Built ${built.join(', ')}.`)
  }
  program
    .command('build')
    .description('Builds a profile’s image, and those under it, where they are missing or stale.')
    .argument('[profile]', 'profile to build (default: default)')
    .option('--base-image <image>', 'image that profiles are built from')
    .action((profile: string | undefined, flags: BuildFlags) => build(profile, flags, false))
  program
    .command('rebuild')
    .description('Builds a profile’s image, and those under it, anew: no cached layer is used.')
    .argument('[profile]', 'profile to rebuild (default: default)')
    .option('--base-image <image>', 'image that profiles are built from')
    .option('--pull', 'get the newest base image first')
    .action((profile: string | undefined, flags: BuildFlags) => build(profile, flags, true))
}

interface BuildFlags {
  baseImage?: string
  pull?: boolean
}

const columns: Record<string, (profile: ProfileStatus) => string> = {
  PROFILE: ({ name, source }) => (source === 'user' ? `${name} (yours)` : name),
  STATE: ({ state, error }) => (error === null ? state : 'broken'),
  RAM: ({ caps }) => (caps.ramMib === null ? '-' : `${caps.ramMib / 1024} GiB`),
  CPUS: ({ caps }) => String(caps.cpus ?? '-'),
  TMP: ({ caps }) => caps.tmpSize ?? '-',
  PIDS: ({ caps }) => String(caps.pids ?? '-'),
  BASE: ({ base }) => (base?.created ? daysInWords(ageInDays(new Date(base.created), new Date())) : '-'),
  NOTES: (profile) => profile.error ?? [...profile.reasons, ...profile.findings.map(({ message }) => message), ...(profile.runnable ? [] : [purposeOf(profile)])].join(' '),
}
