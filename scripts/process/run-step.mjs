import { spawn, spawnSync } from 'node:child_process'
import { Failure, Stopped } from './failure.mjs'
import { createLineSplitter, createProgress, say } from './progress.mjs'
import { passSignals } from './signals.mjs'

/** How many lines of a failed child are repeated in the error. */
const tailLines = 20

/** How many are kept to find the cause in, which is often said first. */
const keptLines = 400

/**
 * Runs one step of the set-up: says what and why, shows the child's output as progress.
 *
 * @param {object} step
 * @param {string} step.title what is done, in the present ("installing …")
 * @param {string} [step.why]
 * @param {string[]} step.argv
 * @param {string} [step.cwd]
 * @param {NodeJS.ProcessEnv} [step.env]
 * @param {(output: string) => string} [step.fix] what to do when it fails, from what it printed
 * @param {boolean} [step.isQuiet] show the output only when it fails
 * @param {number} [step.lock] descriptor of a lock that the child holds too: if this process is killed, the next one
 * waits until the child has ended
 * @param {AbortSignal} [step.abort] kills the child, which is a failure then
 * @throws {Failure} with the last lines of the output, unless the person has just read them
 */
export async function runStep({
  title,
  why,
  argv,
  cwd,
  env = process.env,
  fix,
  isQuiet = false,
  lock = 'ignore',
  abort,
}) {
  say(why ? `${title}: ${why}` : title)
  const progress = createProgress()
  const tail = []
  const splitter = () =>
    createLineSplitter((line) => {
      tail.push(line)
      if (tail.length > keptLines) tail.shift()
      if (!isQuiet) progress.show(line)
    }, progress.isFolded)
  let child
  const signals = passSignals(() => [child])
  const problem = await new Promise((resolve) => {
    const stdio = ['ignore', 'pipe', 'pipe', lock]
    child = spawn(argv[0], argv.slice(1), { cwd, env, stdio, signal: abort, killSignal: 'SIGKILL' })
    for (const stream of [child.stdout, child.stderr]) {
      const lines = splitter()
      stream.on('data', (chunk) => lines.push(chunk))
      stream.on('end', () => lines.end())
    }
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => {
      if (signal) resolve(`it was ended by ${signal}`)
      else resolve(code === 0 ? undefined : `it ended with exit code ${code}`)
    })
  })
  if (!isQuiet) progress.end()
  const signal = signals.release()
  if (signal) throw new Stopped(title, signal)
  if (problem === undefined) return
  const output = isQuiet || progress.isFolded ? tail.slice(-tailLines).join('\n') : ''
  throw new Failure(`${title} failed`, {
    why: `${problem}: ${argv.join(' ')}${output ? `\nIts last lines:\n${output}` : ''}`,
    fix: fix?.(tail.join('\n')) ?? 'Run the same command again; what is already done is kept.',
  })
}

/**
 * Asks a program for a short answer.
 *
 * @returns {string | undefined} its trimmed stdout, or undefined when it is missing or fails
 */
export function ask(argv, { env = process.env, cwd } = {}) {
  const result = spawnSync(argv[0], argv.slice(1), {
    cwd,
    // Answers are parsed, so they must not be translated.
    env: { ...env, LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 30_000,
  })
  return result.status === 0 ? result.stdout.trim() : undefined
}
