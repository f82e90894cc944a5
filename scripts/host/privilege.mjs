import { spawnSync } from 'node:child_process'
import { Failure } from '../process/failure.mjs'
import { say } from '../process/progress.mjs'
import { findProgram } from './find-program.mjs'

/**
 * What to put before a command so that it runs as root: nothing for root, else sudo, which asks for the password on the
 * terminal here and now.
 *
 * @param {object} step the step that needs it, for the error
 * @param {string} step.title
 * @param {string} step.why
 * @param {string[]} step.argv what to run by hand when there is no way to become root
 * @returns {string[]}
 * @throws {Failure} with that command
 */
export function becomeRoot({ title, why, argv }) {
  if (process.getuid() === 0) return []
  const refuse = (problem) =>
    new Failure(`${title} needs root`, {
      why: `${why}; ${problem}.`,
      fix: `Run this as root, then start Paddock again:\n${argv.join(' ')}`,
    })
  if (!findProgram('sudo')) throw refuse('sudo is not installed')
  if (succeeds(['sudo', '-n', 'true'], 'ignore')) return ['sudo', '-n']
  if (!process.stdin.isTTY) throw refuse('sudo wants a password, and there is no terminal to ask on')
  say(`${title} needs root, so sudo asks for your password: ${why}`)
  // Asked for on its own, so that the question is not lost in the progress of the command.
  if (!succeeds(['sudo', '-v'], 'inherit')) throw refuse('sudo did not allow it')
  return ['sudo']
}

function succeeds(argv, stdio) {
  return spawnSync(argv[0], argv.slice(1), { stdio }).status === 0
}
