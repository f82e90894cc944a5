import { readFileSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { say } from '../process/progress.mjs'
import { actAs } from './act-as.mjs'

/** Where systemd mounts cgroup v2 beside v1. */
export const unifiedFolder = '/sys/fs/cgroup/unified'

/**
 * Whether cgroup v2 has controllers while v1 is in use. crun refuses to start anything then (`cgroups in hybrid mode
 * not supported, drop all controllers from cgroupv2`).
 */
export function isHybrid(read = (file) => readFileSync(file, 'utf8')) {
  try {
    return read(`${unifiedFolder}/cgroup.controllers`).trim() !== ''
  } catch {
    return false
  }
}

/**
 * Ends the account's idle Podman process if it was started where the mount is visible: later commands join its mount
 * namespace and would meet the mount again. It is left alone while anything else lives in its namespaces.
 */
export function endPauseProcess(account, runtimeFolder) {
  const pidFile = `${runtimeFolder}/libpod/tmp/pause.pid`
  const pid = Number(readText(pidFile))
  if (!Number.isInteger(pid) || pid <= 1 || !isPodmanOf(account, pid)) return
  if (!readText(`/proc/${pid}/mountinfo`).includes(` ${unifiedFolder} `)) return
  if (sharesNamespace(pid)) {
    say(
      `sandboxes of "${account.name}" were started where cgroup v2 is visible; new ones will fail until those are stopped`,
    )
    return
  }
  // With the account's rights: the pid comes from a file that the account wrote.
  actAs(account, () => {
    process.kill(pid, 'SIGKILL')
    // Until its parent has noticed, the dead process still answers, and Podman would try to join it.
    rmSync(pidFile, { force: true })
  })
}

function isPodmanOf({ uid }, pid) {
  const owner = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid
  return owner === uid && /podman|catatonit/.test(readText(`/proc/${pid}/cmdline`))
}

function sharesNamespace(pid) {
  const own = namespaceOf(pid)
  return readdirSync('/proc').some(
    (entry) => /^\d+$/.test(entry) && Number(entry) !== pid && namespaceOf(entry) === own,
  )
}

function namespaceOf(pid) {
  try {
    return readlinkSync(`/proc/${pid}/ns/user`)
  } catch {
    return undefined
  }
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
