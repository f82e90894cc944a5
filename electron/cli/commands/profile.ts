import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { MadeProfile } from '../../../shared/contract/profile-contract.ts'
import { printJson, printNote, plain } from '../print.ts'
import type { CommandContext } from '../program.ts'
import type { Session } from '../session.ts'

interface JsonFlag {
  json?: boolean
}

/** A path that a person typed, from where they stood when npm changed to Paddock's own folder. */
export const fromHere = (path: string) => resolve(process.env.PADDOCK_CWD ?? process.cwd(), path)

/** Loaded when first needed: a launch needs no form, and should start at once. */
const form = () => import('./profile-form.ts')

/** Adds `paddock profile …`: what the window's editor does, from the command line. */
export function addProfileCommand(program: Command, { session, finish }: CommandContext): void {
  const group = program.command('profile').summary('make, change, check and keep profiles').description('Makes, changes, checks and keeps profiles. "paddock profiles" lists them.')
  const add = (name: string, description: string) => group.command(name).description(description).option('--json', 'print JSON')

  add('new', 'Makes a profile that adds to another.')
    .argument('<name>', 'name of the new profile')
    .option('--from <profile>', 'profile to build on', 'default')
    .action(async (name: string, { from, json }: JsonFlag & { from: string }) => made(await session.call('profile.create', { name, from }), json))
  add('duplicate', 'Copies a profile with all its files.')
    .argument('<name>', 'profile to copy')
    .argument('<new-name>', 'name of the copy')
    .action(async (name: string, as: string, { json }: JsonFlag) => made(await session.call('profile.duplicate', { name, as }), json))
  add('rename', 'Renames a profile of yours.')
    .argument('<name>', 'profile to rename')
    .argument('<new-name>', 'its new name')
    .action(async (name: string, to: string, { json }: JsonFlag) => made(await session.call('profile.rename', { name, to }), json))
  add('import', 'Makes a profile of a Containerfile, a devcontainer.json, or a folder with either.')
    .argument('<path>', 'file or folder')
    .option('--name <name>', 'name of the profile (default: the folder’s)')
    .action(async (path: string, { name, json }: JsonFlag & { name?: string }) => made(await session.call('profile.import', { path: fromHere(path), name }), json))
  add('export', 'Copies a profile’s folder: into a folder that is there, else as that folder.')
    .argument('<name>', 'profile to copy')
    .argument('<folder>', 'where to')
    .action(async (name: string, folder: string, { json }: JsonFlag) => {
      const result = await session.call('profile.export', { name, folder: fromHere(folder) })
      if (json) printJson(result)
      else process.stdout.write(`${plain(result.folder)}\n`)
    })
  add('delete', 'Moves a profile of yours to the trash.')
    .argument('<name>', 'profile to remove')
    .action(async (name: string, { json }: JsonFlag) => remove(session, name, json))
  add('show', 'Shows a profile’s fields and its run label. JSON with --json or when stdout is no terminal.')
    .argument('[name]', 'profile (default: default)')
    .action(async (name: string | undefined, { json = false }: JsonFlag) => (await form()).showProfile(session, name, json))
  add('set', 'Changes fields of a profile, and in its text only what has to change. KEY+=VALUE and KEY-=VALUE add to and take from a list; KEY= takes all away.')
    .argument('<name>', 'profile; a bundled one is copied first')
    .argument('<assignment...>', 'as in ram=4g egress=deny apt+=jq mounts+=~/data:/data ports+=3000')
    .addHelpText('after', keysHelp)
    .action(async (name: string, assignments: string[], { json = false }: JsonFlag) => (await form()).setFields(session, name, assignments, json))
  add('lint', 'Checks a profile’s Containerfile: FILE:LINE: LEVEL: TEXT. Exits 1 on errors.')
    .argument('[name]', 'profile (default: default)')
    .action(async (name: string | undefined, { json = false }: JsonFlag) => finish(await (await form()).lintProfile(session, name, json)))
  add('edit', 'Opens a profile’s Containerfile in $VISUAL or $EDITOR, and checks it afterwards. A bundled one is copied first.')
    .argument('[name]', 'profile (default: default)')
    .action(async (name: string | undefined, { json = false }: JsonFlag) => finish(await (await import('./profile-edit.ts')).editProfile(session, name, json)))
}

/** Written out, since the form itself is loaded when it is needed; a test compares. */
const keysHelp = `
Keys:
  base                 image or profile to build on
  apt npm pip uv       packages, with a version if it is to be pinned
  agents               coding agents, of npm
  env                  variables, as in env+=NAME=VALUE
  ram cpus tmp pids    limits, as in ram=4g cpus=2 tmp=512m pids=512
  egress allow         open, allowlist or deny; hosts, lists such as @npm, or addresses
  mounts ports         SOURCE:TARGET, with :rw to let it write; ports of this machine
  home                 shared, own, or a name
  desktop              on or off
  workdir flags        where commands start; other options of podman run
"paddock profile show NAME" tells what they are.`

function made(profile: MadeProfile, json: boolean | undefined): void {
  if (json) return printJson(profile)
  for (const note of profile.notes) printNote(note)
  process.stdout.write(`${plain(profile.file)}\n`)
}

async function remove(session: Session, name: string, json: boolean | undefined): Promise<void> {
  const result = await session.call('profile.remove', { name })
  if (json) return printJson(result)
  for (const note of result.notes) printNote(note)
  printNote(`Moved profile ${name} to the trash: ${result.trash}. Its image, if there is one, stays until "paddock prune" or "podman rmi".`)
}
