import { constants, copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from '../process/failure.mjs'
import { say } from '../process/progress.mjs'
import { installPackages, listsAreOld, refreshLists } from './install-packages.mjs'
import { choosePodman, planHost, requiredPackages } from './plan.mjs'
import { ensureToolchain } from './toolchain.mjs'

/**
 * Installs what the machine's packages must bring. Facts are read again after each change, because the plan may change
 * with them.
 *
 * @param {() => import('./facts.mjs').Facts} readFacts
 * @returns {Promise<import('./facts.mjs').Facts>} the facts in the end
 * @throws {Failure} naming what is still missing
 */
export async function ensurePackages(readFacts) {
  let facts = readFacts()
  if (lacks(facts).length === 0) return facts
  // Without package lists apt knows neither whether its Podman is new enough nor what its packages are called.
  if (facts.manager === 'apt-get' && listsAreOld()) {
    await refreshLists(facts.manager)
    facts = readFacts()
  }
  const packages = requiredPackages(
    facts,
    lacks(facts).flatMap((requirement) => requirement.programs),
  )
  if (facts.manager && packages.length > 0) {
    await installPackages(
      facts.manager,
      packages,
      facts.needsWindow ? 'sandboxes and windows need them' : 'sandboxes need them',
    )
    facts = readFacts()
  }
  const missing = lacks(facts)
  if (missing.length === 0) return facts
  throw new Failure(`this machine lacks what ${facts.needsWindow ? 'sandboxes and windows' : 'sandboxes'} need`, {
    why: missing.map((requirement) => `${requirement.name}: ${requirement.found}`).join('\n'),
    fix: missing.map((requirement) => requirement.remedy).join('\n'),
  })
}

function lacks(facts) {
  const isPackaged = (requirement) =>
    requirement.programs?.length > 0 || (requirement.name === 'podman' && requirement.isManual)
  return planHost(facts).filter((requirement) => !requirement.isMet && isPackaged(requirement))
}

/** What needs no root: the private Podman, and a policy for image signatures where there is none. */
export async function ensureOwnParts(facts, paths, isRenewal = false) {
  if (choosePodman(facts) === 'toolchain') {
    await ensureToolchain(facts.distribution, paths, isRenewal)
    ensurePolicy(facts, paths)
  }
  for (const requirement of planHost(facts)) {
    if (!requirement.isMet && requirement.isManual)
      say(`${requirement.name}: ${requirement.found}. ${requirement.remedy}`)
  }
}

/** Podman pulls and imports nothing without a policy, and the system's comes with the system's own Podman. */
function ensurePolicy(facts, paths) {
  const model = join(paths.toolchain, 'root/etc/containers/policy.json')
  if (facts.hasPolicy || !existsSync(model)) return
  mkdirSync(dirname(paths.policy), { recursive: true })
  say(`writing ${paths.policy}: Podman needs a policy for image signatures and this machine has none`)
  try {
    copyFileSync(model, paths.policy, constants.COPYFILE_EXCL)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
}
