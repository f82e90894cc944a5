import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPodman } from '../../electron/core/engine/podman-path.ts'
import { findPaths } from '../../electron/core/store/paths.ts'
import { makeHookFolder } from './hook-folder.ts'
import type { Report } from './report.ts'
import { measureInTurn, median } from './samples.ts'

const pairs = 20
/** Nobody waits so long for a prompt that this is noticed in it. */
const limitMs = 40

/** What the hook adds to the start of a sandbox: the same container with it and without. */
export async function benchHook(report: Report): Promise<void> {
  const podman = findPodman(findPaths().toolchainPodman)
  const folder = mkdtempSync(join(tmpdir(), 'paddock-bench-hook-'))
  try {
    const hook = await makeHookFolder(folder, podman)
    const run = (options: string[]) => timeMs([podman, ...options, 'run', '--rm', '--network', 'pasta', '--userns', 'keep-id:uid=1000,gid=1000', '--user', 'ai', '--cap-drop', 'ALL', '--read-only', 'localhost/paddock:minimal', 'true'])
    const taken = await measureInTurn(pairs, () => run([`--hooks-dir=${hook.hooks}`]), () => run([]))
    hook.demandReceipt()
    report.ratio('with the hook', 'without', taken, null)
    report.figure('added by the hook', 'ms', median(taken.ours.map((value, at) => value - taken.theirs[at]!)), limitMs)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function timeMs([program, ...args]: string[]): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(program!, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', env: { ...process.env, PODMAN_IGNORE_CGROUPSV1_WARNING: '1' } })
  if (status !== 0) throw new Error(`Podman ended with ${status}:\n${stderr}`)
  return performance.now() - started
}
