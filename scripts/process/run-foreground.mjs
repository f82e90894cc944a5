import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Failure } from './failure.mjs'
import { passSignals } from './signals.mjs'

/** As `runInTurn`, for the only program to run. @returns {Promise<number>} its exit code */
export async function runForeground(argv, options) {
  return (await runInTurn(argv, options)).exitCode
}

/**
 * Runs the program that this one only prepares for. It gets the terminal and all three streams, and this process
 * lives exactly as long as it does.
 *
 * @param {[string, ...string[]]} argv
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, output?: number }} [options] `output` is a file that takes what it
 * prints, for one that runs beside another
 * @returns {Promise<{ exitCode: number, signal: NodeJS.Signals | undefined }>} its exit code, 128 plus the signal's number
 * when a signal ended it, as shells report it; and the signal that came meanwhile, which asks us to stop too
 */
export function runInTurn(argv, { cwd, env = process.env, output } = {}) {
  return new Promise((resolve, reject) => {
    let child
    // Before the child: a signal between its start and ours would end this process alone.
    const signals = passSignals(() => [child])
    child = spawn(argv[0], argv.slice(1), { cwd, env, stdio: output === undefined ? 'inherit' : ['ignore', output, output] })
    child.on('error', (error) => {
      signals.release()
      reject(new Failure(`${argv[0]} could not be started`, { why: error.message }))
    })
    child.on('exit', (code, signal) => {
      resolve({ exitCode: signal ? 128 + constants.signals[signal] : code, signal: signals.release() })
    })
  })
}
