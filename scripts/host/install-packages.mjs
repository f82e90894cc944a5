import { readdirSync, statSync } from 'node:fs'
import { Failure, Stopped } from '../process/failure.mjs'
import { say } from '../process/progress.mjs'
import { runStep } from '../process/run-step.mjs'
import { installCommand, packageManagers } from './package-names.mjs'
import { becomeRoot } from './privilege.mjs'

/** Package lists older than this name packages that the mirror has replaced meanwhile. */
const listsMaxAgeMs = 7 * 24 * 60 * 60 * 1000

/**
 * Installs packages with the distribution's package manager. Fresh package lists are fetched first when there are none
 * or old ones, and once more when the installation fails, which is what a replaced package or a short outage needs.
 *
 * @param {string} manager
 * @param {string[]} packages
 * @param {string} why
 */
export async function installPackages(manager, packages, why) {
  const step = {
    title: `installing ${packages.join(', ')} (${manager})`,
    why,
    argv: installCommand(manager, packages),
    fix: () => 'Look at its last lines; when that command works by hand, start Paddock again.',
  }
  const privilege = becomeRoot(step)
  // Through env(1), because sudo drops the variables of its caller.
  const quiet = manager === 'apt-get' ? ['env', 'DEBIAN_FRONTEND=noninteractive'] : []
  const install = () => runStep({ ...step, argv: [...privilege, ...quiet, ...step.argv] })
  if (manager === 'apt-get' && listsAreOld()) await refreshLists(manager)
  try {
    await install()
  } catch (error) {
    if (!packageManagers[manager].refresh || !(error instanceof Failure) || error instanceof Stopped) throw error
    say('that did not work; once more with fresh package lists')
    await refreshLists(manager)
    await install()
  }
}

/** Fetches the package lists. */
export async function refreshLists(manager) {
  const step = {
    title: `fetching the package lists (${manager})`,
    why: 'there are none, or they are too old',
    argv: packageManagers[manager].refresh,
    fix: () => 'Check the network connection and the package sources of this machine.',
  }
  await runStep({ ...step, argv: [...becomeRoot(step), ...step.argv] })
}

/** Whether apt has no package lists, or old ones. */
export function listsAreOld(folder = '/var/lib/apt/lists', now = Date.now()) {
  try {
    const lists = readdirSync(folder).filter((name) => /_(In)?Release$/.test(name))
    return lists.length === 0 || lists.every((name) => now - statSync(`${folder}/${name}`).ctimeMs > listsMaxAgeMs)
  } catch {
    return true
  }
}
