import { Command, CommanderError } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { addDoctorCommand } from './commands/doctor.ts'
import { addOpenCommand } from './commands/open.ts'
import { addProfileCommands } from './commands/profiles.ts'
import { addRunCommand } from './commands/run.ts'
import { addSandboxCommands } from './commands/sandboxes.ts'
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
      addSandboxCommands(program, context)
      addDoctorCommand(program, context)
      try {
        await program.parseAsync([...own], { from: 'user' })
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error
        const isMisplaced = error.code === 'commander.excessArguments' || error.code === 'commander.unknownOption'
        if (isMisplaced && own[0] === 'run') printNote('A command for the sandbox stands behind --, as in: paddock run minimal -- git log')
        return error.exitCode === 0 ? 0 : usageError
      }
      return exitCode
    },
  }
}
