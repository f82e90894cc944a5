import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { type Ended, run, type RunOptions } from '../process/run.ts'
import { findPaths, runtimeFolderOf } from '../store/paths.ts'

/** What a rootless Podman says to everything while it takes sandboxes for running of which no process is left. */
const lostProcesses = /invalid internal status, try resetting the pause process/

/** Whether a call failed because all of Podman's processes were killed while sandboxes ran. */
export const hasLostProcesses = ({ ended, exitCode, stderr }: Ended): boolean => ended === 'exited' && exitCode !== 0 && lostProcesses.test(stderr)

const migrateTimeoutMs = 60_000
/** Enough for every sandbox of a busy machine. */
const maxMigrations = 200

/**
 * Lets Podman take note that its sandboxes are dead, by `podman system migrate`, so that it works again. That would end
 * sandboxes which run, so the question is asked again under a lock: another Paddock may have done it by now.
 * @throws {PaddockError} `podman-failed` when Podman stays as it is
 */
export async function recoverPodman(path: string, env: NonNullable<RunOptions['env']>): Promise<void> {
  const { lock } = await import('proper-lockfile')
  const { state } = findPaths()
  await mkdir(state, { recursive: true, mode: 0o700 })
  const release = await lock(state, { lockfilePath: join(state, 'recovery.lock'), retries: { forever: true, minTimeout: 100, maxTimeout: 500 } })
  const podman = (...args: string[]) => run([path, ...args], { env, timeoutMs: migrateTimeoutMs })
  try {
    if (!hasLostProcesses(await podman('ps', '--quiet'))) return
    for (let count = 0; count < maxMigrations; count++) {
      const migration = await podman('system', 'migrate')
      if (migration.ended === 'exited' && migration.exitCode === 0) return
      // Podman 5.4 crashes after each sandbox that it has taken note of.
      if (!/^stopped /m.test(migration.stdout + migration.stderr)) break
    }
    throw new PaddockError({
      code: 'podman-failed',
      message: 'Podman has lost its processes while sandboxes ran, and cannot be mended.',
      hint: 'Run: podman system migrate. If that fails too, restart the computer.',
    })
  } finally {
    await release()
  }
}

/**
 * Whether the process that keeps Podman's user namespace lives, as far as this account can tell. Without it the next call
 * makes it anew, or finds that it cannot.
 */
export function isPodmanAwake(): boolean {
  try {
    // Podman's own rule where there is no session.
    const runtimeFolder = runtimeFolderOf(process.env) ?? `/run/user/${process.getuid!()}`
    const pid = Number(readFileSync(join(runtimeFolder, 'libpod/tmp/pause.pid'), 'utf8'))
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}
