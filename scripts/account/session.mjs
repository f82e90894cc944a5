import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { openProblem } from '../host/open-problem.mjs'
import { ask } from '../process/run-step.mjs'
import { Failure } from '../process/failure.mjs'
import { say } from '../process/progress.mjs'
import { actAs } from './act-as.mjs'

/**
 * Makes `/run/user/UID`, which a log-in would make. Under systemd the account gets a session that lasts, so that its
 * sandboxes outlive the terminal and their limits can be enforced.
 *
 * @returns {string} the folder
 */
export function ensureRuntimeFolder({ name, uid, gid }) {
  const folder = `/run/user/${uid}`
  if (!existsSync(folder) && existsSync('/run/systemd/system')) {
    say(`giving "${name}" a session of its own (loginctl enable-linger): its sandboxes outlive this terminal`)
    ask(['loginctl', 'enable-linger', name])
    // logind answers before the session's manager has made the folder.
    for (let wait = 0; wait < 50 && !existsSync(folder); wait += 1) ask(['sleep', '0.1'])
  }
  mkdirSync('/run/user', { recursive: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stats = lstatSync(folder)
  if (stats.uid !== uid) chownSync(folder, uid, gid)
  if ((stats.mode & 0o777) !== 0o700) chmodSync(folder, 0o700)
  return folder
}

/** Devices that rootless Podman opens as the account: networking, and file systems where the kernel's overlay cannot. */
const devices = [
  {
    path: '/dev/net/tun',
    use: 'sandboxes have no network without it',
    fix: 'Load it: modprobe tun. In a container or VM, pass the device in.',
  },
  { path: '/dev/fuse', use: 'some file systems need it for images', fix: 'Load it: modprobe fuse.' },
]

/** Opens the devices for everybody, as distributions ship them, only where the account cannot open them. Needs root. */
export function ensureDevices(account) {
  for (const { path, use, fix } of devices) {
    const problem = actAs(account, () => openProblem(path))
    if (problem === 'EACCES' || problem === 'EPERM') {
      say(`opening ${path} for every account, as distributions ship it: ${use}`)
      chmodSync(path, 0o666)
    } else if (problem) say(`${path} cannot be opened (${problem}): ${use}. ${fix}`)
  }
}

/** Whether the account may enter a folder; root's own rights do not count. */
export function canEnter(account, folder) {
  return actAs(account, () => {
    try {
      return statSync(`${folder}/.`).isDirectory()
    } catch {
      return false
    }
  })
}

/** @throws {Failure} when the account cannot run this very Node, as happens with one installed in root's home */
export function demandRunnableNode(account, node = process.execPath) {
  const program = realpathSync(node)
  if (canEnter(account, dirname(program)) && (statSync(program).mode & 0o001) !== 0) return
  throw new Failure(`the account "${account.name}" cannot run ${program}`, {
    why: 'Paddock does not run as root, and this Node lies in a folder that only root may enter.',
    fix: 'Install Node 20.18 or newer for the whole machine (your distribution has a package), or start Paddock as an ordinary user.',
  })
}
