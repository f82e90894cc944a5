import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { constants } from 'node:os'
import { Failure } from './failure.mjs'

/**
 * Runs the program that this one only prepares for. It gets the terminal and all three streams, and this process
 * lives exactly as long as it does.
 *
 * @returns {Promise<number>} its exit code; 128 plus the signal's number when a signal ended it, as shells report it
 */
export function runForeground(argv, { cwd, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    let child
    const forward = (signal) => child?.kill(signal)
    // The terminal sends Ctrl-C to the whole process group: the child has it already, and a second one would mean
    // "stop at once" to many programs. Without a terminal nobody else passes it on.
    const fromKeyboard = hasTerminal() ? () => {} : forward
    const handlers = { SIGINT: fromKeyboard, SIGQUIT: fromKeyboard, SIGTERM: forward, SIGHUP: forward }
    for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
    const finish = () => {
      for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler)
    }
    child = spawn(argv[0], argv.slice(1), { cwd, env, stdio: 'inherit' })
    child.on('error', (error) => {
      finish()
      reject(new Failure(`${argv[0]} could not be started`, { why: error.message }))
    })
    child.on('exit', (code, signal) => {
      finish()
      resolve(signal ? 128 + constants.signals[signal] : code)
    })
  })
}

function hasTerminal() {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
