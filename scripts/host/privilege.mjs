import { spawnSync } from 'node:child_process'
import { Failure } from '../process/failure.mjs'
import { runStep } from '../process/run-step.mjs'
import { findProgram } from './find-program.mjs'

/**
 * Runs a step that needs root: directly as root, else through sudo, which asks for the password on the terminal.
 *
 * @param {{ title: string, why?: string, argv: string[], env?: Record<string, string>, fix?: (tail: string) => string }} step
 * `env` is added to the command's environment
 * @throws {Failure} with the command to run by hand when there is no way to become root
 */
export async function runAsRoot({ env = {}, argv, ...step }) {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const command = settings.length > 0 ? ['env', ...settings, ...argv] : argv
  await runStep({ ...step, argv: process.getuid() === 0 ? command : [...becomeRoot(argv, step), ...command] })
}

function becomeRoot(argv, { title, why }) {
  const byHand = `Run this as root, then start Paddock again:\n${argv.join(' ')}`
  if (!findProgram('sudo'))
    throw new Failure(`${title} needs root`, {
      why: `${why ?? 'it changes the system'}; sudo is not installed`,
      fix: byHand,
    })
  if (succeeds(['sudo', '-n', 'true'], 'ignore')) return ['sudo', '-n']
  if (!process.stdin.isTTY)
    throw new Failure(`${title} needs root`, {
      why: `${why ?? 'it changes the system'}; sudo wants a password and there is no terminal to ask on`,
      fix: byHand,
    })
  process.stderr.write(`paddock: ${title} needs root, so sudo may ask for your password\n`)
  // Asked for on its own, so that the question is not lost in the progress of the command.
  if (!succeeds(['sudo', '-v'], 'inherit'))
    throw new Failure(`${title} needs root`, { why: 'sudo did not allow it', fix: byHand })
  return ['sudo']
}

function succeeds(argv, stdio) {
  return spawnSync(argv[0], argv.slice(1), { stdio }).status === 0
}
