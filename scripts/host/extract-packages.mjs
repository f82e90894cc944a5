import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Failure, Stopped } from '../process/failure.mjs'
import { createLineSplitter, createProgress, say } from '../process/progress.mjs'
import { passSignals } from '../process/signals.mjs'
import { toolchainPackages } from './toolchain-files.mjs'

/** Nobody reads these in a toolchain, and they are a third of it. */
const leftOut = ['./usr/share/doc', './usr/share/man', './usr/share/locale', './usr/share/info', './dev']

/** A folder of packages is no system that boots, and mmdebstrap says so for each device. */
const expectedWarning = /^W: skipping (creation|mounting) of /

/**
 * Fetches the toolchain's packages with their dependencies and unpacks them into a folder, owned by this user.
 * mmdebstrap checks the archive's signatures and works in a user namespace, where the files would belong to mapped ids:
 * so it writes a tar stream and tar unpacks it here.
 *
 * @param {object} job
 * @param {{ suite: string, lines: string[] }} job.source
 * @param {string[]} job.settings apt settings of this machine
 * @param {string} job.folder emptied first
 * @param {string} job.why
 */
export async function extractPackages({ source, settings, folder, why }) {
  const title = `making a private Podman from the packages of ${source.suite}`
  say(`${title}: ${why}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const progress = createProgress()
  const tail = []
  const lines = createLineSplitter((line) => {
    if (expectedWarning.test(line)) return
    tail.push(line)
    if (tail.length > 20) tail.shift()
    progress.show(line)
  }, progress.isFolded)
  const { TMPDIR: _, ...environment } = process.env
  // mmdebstrap's mapped ids cannot enter a temporary folder of the user's own, so TMPDIR is left out.
  const fetch = spawn('mmdebstrap', mmdebstrapArguments(source, settings), {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own: when mmdebstrap is stopped it hangs up on its whole group, which would be ours.
    detached: true,
  })
  const unpack = spawn('tar', ['-x', '-C', folder, '--no-same-owner', ...leftOut.map((path) => `--exclude=${path}`)], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  for (const child of [fetch, unpack]) child.stderr.on('data', (chunk) => lines.push(chunk))
  const signals = passSignals(() => [fetch], false)
  const ends = Promise.all([ended(fetch), ended(unpack)])
  // When one side stops early the other's exit code tells more than the broken pipe.
  await pipeline(fetch.stdout, unpack.stdin).catch(() => {})
  const problems = (await ends).filter(Boolean)
  lines.end()
  progress.end()
  const signal = signals.release()
  if (signal) throw new Stopped(title, signal)
  if (problems.length === 0) return
  throw new Failure(`${title} failed`, {
    why: [problems.join('; '), ...(progress.isFolded ? tail : [])].join('\n'),
    fix: 'Check that apt can reach this machine’s mirror, then start Paddock again.',
  })
}

/** The command that writes the packages' files as a tar stream to stdout, without running any of their scripts. */
export function mmdebstrapArguments({ suite, lines }, settings) {
  return [
    '--mode=unshare',
    '--variant=extract',
    '--format=tar',
    `--include=${toolchainPackages.join(',')}`,
    ...settings.map((setting) => `--aptopt=${setting}`),
    suite,
    '-',
    ...lines,
  ]
}

function ended(child) {
  const name = child.spawnfile
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(`${name}: ${error.message}`))
    child.on('close', (code, signal) =>
      resolve(code === 0 ? undefined : `${name} ended with ${signal ?? `exit code ${code}`}`),
    )
  })
}
