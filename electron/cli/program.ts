import { Command, CommanderError } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { addCpCommand } from './commands/cp.ts'
import { addDesktopCommands } from './commands/desktop.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addEgressCommands } from './commands/egress.ts'
import { addGuestCommands } from './commands/guest.ts'
import { addMcpCommand } from './commands/mcp.ts'
import { addOpenCommand } from './commands/open.ts'
import { addPortsCommand } from './commands/ports.ts'
import { addProfileCommand } from './commands/profile.ts'
import { addProfileCommands } from './commands/profiles.ts'
import { addRunCommand } from './commands/run.ts'
import { addSandboxCommands } from './commands/sandboxes.ts'
import { addSshCommands } from './commands/ssh.ts'
import { addUpgradeCommand } from './commands/upgrade.ts'
import { printNote } from './print.ts'
import type { Session } from './session.ts'

/** What a command's action reports: the exit code of the whole command. */
export type ExitCode = number

/** How a group of commands reaches the session and says how it ended. */
export interface CommandContext {
  session: Session
  /** Words behind `--`, which belong to the sandbox and are never read as options. */
  passed: string[]
  finish: (exitCode: ExitCode) => void
}

const usageError = 2

const examples: Record<string, string | undefined> = { run: 'paddock run minimal -- git log', exec: 'paddock exec ID -- git log' }

/** Builds the command line; `run` returns the exit code. */
export function createProgram(session: Session): { run(argv: readonly string[]): Promise<ExitCode> } {
  return {
    async run(argv) {
      const separator = argv.indexOf('--')
      const own = separator < 0 ? argv : argv.slice(0, separator)
      let exitCode = 0
      const context: CommandContext = {
        session,
        passed: separator < 0 ? [] : argv.slice(separator + 1),
        finish: (code) => {
          exitCode = code
        },
      }
      const program = new Command('paddock')
        .description('Sandboxes for AI coding agents: hardened rootless Podman, in a microVM where the host can.')
        .version(packageJson.version)
        .showHelpAfterError('Try "paddock --help" or "paddock COMMAND --help".')
        // `run minimal git --version` is a mistake to explain, not a question for Paddock's version.
        .enablePositionalOptions()
        .exitOverride()
      addRunCommand(program, context)
      addOpenCommand(program, context)
      addProfileCommands(program, context)
      addProfileCommand(program, context)
      addUpgradeCommand(program, context)
      addSandboxCommands(program, context)
      addGuestCommands(program, context)
      addCpCommand(program, context)
      addPortsCommand(program, context)
      addSshCommands(program, context)
      addEgressCommands(program, context)
      addDesktopCommands(program, context)
      addMcpCommand(program, context)
      addDoctorCommand(program, context)
      try {
        await program.parseAsync([...own], { from: 'user' })
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error
        const isMisplaced = error.code === 'commander.excessArguments' || error.code === 'commander.unknownOption'
        const example = isMisplaced && examples[own[0] ?? '']
        if (example) printNote(`A command for the sandbox stands behind --, as in: ${example}`)
        return error.exitCode === 0 ? 0 : usageError
      }
      return exitCode
    },
  }
}
