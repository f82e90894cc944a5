import type { Command } from 'commander'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { joinTerminal, terminalSize } from '../join-terminal.ts'
import { onlySandbox } from '../only-sandbox.ts'
import type { CommandContext } from '../program.ts'
import type { Session } from '../session.ts'
import type { GuestChannel } from '../../core/guest/guest-channel.ts'

interface ExecFlags {
  tty?: boolean
  workdir?: string
  env?: string[]
}

/** Adds what runs more in a sandbox: `paddock shell` and `paddock exec`, which exit as what they ran does. */
export function addGuestCommands(program: Command, { session, passed, finish }: CommandContext): void {
  program
    .command('shell')
    .summary('open another shell in a running sandbox')
    .description('Opens another login shell in a running sandbox, in its project. Exits as the shell does.')
    .argument('<id>', 'id or unique beginning of one')
    .option('-w, --workdir <dir>', 'folder inside to start in')
    .action(async (id: string, { workdir }: { workdir?: string }) => {
      if (!process.stdin.isTTY || !process.stdout.isTTY) throw noTerminal('a shell')
      finish(await inGuest(session, id, async (guest) => joinTerminal(await guest.shell({ ...terminalSize(), ...termName() }, cwdOption(workdir)), true)))
    })
  program
    .command('exec')
    .summary('run a command in a running sandbox')
    .description('Runs a command in a running sandbox, in its project, with this stdin, stdout and stderr. Signals reach it.')
    .argument('<id>', 'id or unique beginning of one')
    .usage('[options] <id> -- COMMAND...')
    .option('-t, --tty', 'give it a terminal')
    .option('-w, --workdir <dir>', 'folder inside to start in')
    .option('-e, --env <name=value>', 'a variable for it; can be given several times', (value: string, before: string[] = []) => [...before, value])
    .addHelpText('after', '\nWhat the command leaves in the background is waited for as long as it holds the output; Ctrl-C ends the waiting.\nExit code: the command’s own, 126 or 127 when it cannot be started; 2 for a wrong use, 125 when the sandbox cannot be reached.')
    .action(async (id: string, { tty = false, workdir, env = [] }: ExecFlags) => {
      const [first, ...rest] = passed
      if (first === undefined) throw new PaddockError({ code: 'usage', message: 'There is no command to run.', hint: 'It stands behind --, as in: paddock exec ID -- git status' })
      if (tty && !process.stdin.isTTY) throw noTerminal('--tty')
      const options = { ...cwdOption(workdir), env: Object.fromEntries(env.map(variable)), ...(tty && { tty: { ...terminalSize(), ...termName() } }) }
      finish(await inGuest(session, id, async (guest) => joinTerminal(await guest.exec([first, ...rest], options), tty)))
    })
}

/** Connects to a sandbox for one thing to be done in it. @param signal gives up connecting; `work` looks at it itself */
export async function inGuest<T>(session: Session, given: string, work: (guest: GuestChannel) => Promise<T>, signal?: AbortSignal): Promise<T> {
  const { id } = await onlySandbox(session, given)
  const guest = await (await session.core.guests()).open(id, signal)
  try {
    return await work(guest)
  } finally {
    guest.close()
  }
}

const cwdOption = (workdir: string | undefined) => (workdir === undefined ? {} : { cwd: workdir })
const termName = () => (process.env.TERM ? { term: process.env.TERM } : {})

function variable(text: string): [string, string] {
  const [, name, value] = /^([A-Za-z_]\w*)=([^\0]*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw new PaddockError({ code: 'usage', message: `"${text}" is no variable.`, hint: 'Write NAME=value.' })
  return [name, value]
}

function noTerminal(what: string): PaddockError {
  return new PaddockError({ code: 'usage', message: `There is no terminal here for ${what}.`, hint: 'Without one use: paddock exec ID -- COMMAND' })
}
