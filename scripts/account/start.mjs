import { fileURLToPath } from 'node:url'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { say } from '../process/progress.mjs'
import { runForeground } from '../process/run-foreground.mjs'
import { readFacts } from '../host/facts.mjs'
import { ensurePackages } from '../host/prepare.mjs'
import { hostPaths } from '../host/toolchain-files.mjs'
import { findElectron } from '../electron/runtime.mjs'
import { needsWindow } from '../jobs/window-jobs.mjs'
import { areDependenciesCurrent } from '../project/dependencies.mjs'
import { exportNpmSettings } from '../project/npm-settings.mjs'
import { chooseAccountName, ensureAccount } from './account.mjs'
import { actAs } from './act-as.mjs'
import { enterCommand } from './enter-command.mjs'
import { accountEnvironment, accountPath } from './environment.mjs'
import { endPauseProcess, isHybrid } from './hybrid-cgroups.mjs'
import { mirrorCheckout, mirrorFolder } from './mirror.mjs'
import { canEnter, demandRunnableNode, ensureDevices, ensureRuntimeFolder } from './session.mjs'

/**
 * What root does: prepares the machine and an ordinary account, then goes on as that account with a copy of the
 * checkout, which may lie where only root can read.
 *
 * @param {string} checkout
 * @param {string[]} args the job and its arguments
 * @param {string} cwd where the person typed the command
 * @returns {Promise<{ exitCode: number, account: { name: string }, mirror: string }>} how what the account ran ended, and where
 */
export async function startAsAccount(checkout, args, cwd) {
  const { account, isNew } = ensureAccount(chooseAccountName(process.env))
  say(
    `started as root, so going on as the ordinary account "${account.name}"${isNew ? ', made just now' : ''}: sandboxes run without root`,
  )
  demandRunnableNode(account)
  const runtimeFolder = ensureRuntimeFolder(account)
  ensureDevices(account)
  const hidesCgroup2 = isHybrid()
  if (hidesCgroup2) {
    say('hiding cgroup version 2 from it: it has controllers beside version 1, and crun starts nothing then')
    endPauseProcess(account, runtimeFolder)
  }
  const mirror = mirrorFolder(account.home, checkout)
  mirrorCheckout(checkout, mirror, (action) => actAs(account, action))
  const needsInstall = !areDependenciesCurrent(mirror)
  const opensWindow = needsWindow(args[0])
  const mayEnter = (folder) => canEnter(account, folder)
  const path = accountPath(process.env.PATH ?? '', mayEnter)
  const paths = hostPaths(account.home)
  await ensurePackages(() =>
    readFacts({
      path,
      paths,
      hasSubordinateIds: true,
      needsCompiler: needsInstall,
      needsWindow: opensWindow,
      needsTestPrograms: args[0] === 'test',
      // Root's display is closed to the account.
      needsVirtualDisplay: opensWindow,
      canHideCgroup2: true,
    }),
  )
  const env = {
    ...accountEnvironment({
      environment: process.env,
      account,
      runtimeFolder,
      hasSessionBus: existsSync(join(runtimeFolder, 'bus')),
      cwd,
      canEnter: mayEnter,
    }),
    // Asking npm takes a third of a second, so only when the account will need the answer.
    ...(needsInstall || (opensWindow && !findElectron(mirror, paths)) ? exportNpmSettings() : {}),
  }
  const script = fileURLToPath(new URL('hide-cgroup2.sh', import.meta.url))
  const exitCode = await runForeground(
    enterCommand({
      account,
      hideScript: hidesCgroup2 ? script : undefined,
      argv: [process.execPath, join(mirror, 'scripts/main.mjs'), ...args],
    }),
    { cwd: mirror, env },
  )
  return { exitCode, account, mirror }
}
