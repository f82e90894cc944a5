/**
 * What `npm start`, `npm test`, `npm run paddock`, `npm run bench`, `npm run host`, `npm run package` and `npm run screenshots` do.
 * It runs on a fresh clone, so it uses Node alone: it prepares the machine, installs the dependencies, builds what has changed, then
 * does the job.
 *
 * Settings:
 * - PADDOCK_ACCOUNT: the ordinary account to go on as when root starts this (default: whoever called sudo, else paddock)
 * - PADDOCK_PODMAN: the Podman to use, instead of the system's or a private one
 * - ELECTRON_OVERRIDE_DIST_PATH: the folder of the Electron to open windows with, instead of its own download
 * - PADDOCK_CWD: set for the job: the folder in which the person typed the command
 */
import { accessSync, constants, existsSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHash } from 'node:crypto'
import { findAccount, chooseAccountName, hasSubordinateIds, subordinateIdsCommand } from './account/account.mjs'
import { startAsAccount } from './account/start.mjs'
import { hasDisplay } from './electron/display.mjs'
import { electronEnvironment, ensureElectron } from './electron/runtime.mjs'
import { readFacts } from './host/facts.mjs'
import { systemFolders, trustedFolders } from './host/find-program.mjs'
import { ensureOwnParts, ensurePackages } from './host/prepare.mjs'
import { becomeRoot } from './host/privilege.mjs'
import { reportHost } from './host/report.mjs'
import { hostPaths } from './host/toolchain-files.mjs'
import { runBench } from './jobs/bench.mjs'
import { runRootTests } from './jobs/root-tests.mjs'
import { runTests } from './jobs/test-suites.mjs'
import { takeScreenshots } from './jobs/screenshots.mjs'
import { openWindow } from './jobs/open-window.mjs'
import { makePackages } from './jobs/packages.mjs'
import { needsWindow } from './jobs/window-jobs.mjs'
import { Failure, describeFailure } from './process/failure.mjs'
import { say } from './process/progress.mjs'
import { runStep } from './process/run-step.mjs'
import { runForeground } from './process/run-foreground.mjs'
import { commandFile, ensureBuild } from './project/build.mjs'
import { areDependenciesCurrent, ensureDependencies } from './project/dependencies.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const jobs = ['start', 'test', 'paddock', 'bench', 'host', 'package', 'screenshots']

async function main([job, ...args]) {
  if (!jobs.includes(job))
    throw new Failure(`unknown job "${job ?? ''}"`, { fix: `Use one of: ${jobs.join(', ')}.`, exitCode: 2 })
  demandSupported()
  // Both root after a plain su and ordinary users often lack the folders of useradd, nft and their like.
  process.env.PATH = [...new Set([...trustedFolders(process.env.PATH ?? ''), ...systemFolders])].join(':')
  if (job === 'host') demandHostOptions(args)
  const cwd = process.env.INIT_CWD || process.env.PADDOCK_CWD || process.cwd()
  if (job === 'host' && args.includes('--check')) return check()
  if (process.getuid() === 0) {
    const { exitCode, account, mirror } = await startAsAccount(root, [job, ...args], cwd)
    return exitCode === 0 && job === 'test' && args.length === 0 ? runRootTests(mirror, account) : exitCode
  }

  const paths = hostPaths(homedir(), process.env)
  const account = { name: userInfo().username, uid: process.getuid() }
  if (!hasSubordinateIds(account)) {
    const step = {
      title: `giving "${account.name}" subordinate ids`,
      why: 'Podman maps the ids inside a sandbox to them',
      argv: subordinateIdsCommand(account),
    }
    await runStep({ ...step, argv: [...becomeRoot(step), ...step.argv] })
  }
  const facts = await ensurePackages(() => factsOf(account, paths, { needsWindow: needsWindow(job), needsTestPrograms: job === 'test' }))
  await ensureOwnParts(facts, paths, args.includes('--renew') && job === 'host')
  if (job === 'host') {
    say('this machine is ready')
    return 0
  }
  const lockFile = join(paths.locks, `checkout-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`)
  await ensureDependencies(root, lockFile)
  const electron = needsWindow(job) ? await ensureElectron(root, paths, lockFile) : undefined
  await ensureBuild(root, lockFile)
  return runJob(job, args, { ...jobEnvironment(paths), ...(electron ? electronEnvironment(electron) : {}) }, cwd)
}

function runJob(job, args, env, cwd) {
  if (job === 'start') return openWindow(root, args, { ...env, PADDOCK_CWD: cwd })
  if (job === 'screenshots') return takeScreenshots(root, args, env)
  if (job === 'test') return runTests(root, args, env)
  if (job === 'package') return makePackages(root, args, env)
  if (job === 'bench') return runBench(root, args, env)
  // Only here: tests and benchmarks start the command in folders of their own.
  const ownEnv = { ...env, PADDOCK_CWD: cwd }
  const command = [process.execPath, commandFile(root), ...args]
  return runForeground(command, { cwd: canEnter(cwd) ? cwd : root, env: ownEnv })
}

function canEnter(folder) {
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function jobEnvironment(paths) {
  const { PADDOCK_CWD: _, ...environment } = process.env
  const own = existsSync(join(paths.toolchain, 'bin/podman')) ? [join(paths.toolchain, 'bin')] : []
  return { ...environment, PATH: [...own, environment.PATH].join(':') }
}

function factsOf(account, paths, more) {
  const path = process.env.PATH ?? ''
  return readFacts({
    path,
    paths,
    hasSubordinateIds: hasSubordinateIds(account),
    needsCompiler: !areDependenciesCurrent(root),
    needsVirtualDisplay: !hasDisplay(),
    ...more,
  })
}

/** Reports for the account that would run the sandboxes, and changes nothing. */
function check() {
  const isRoot = process.getuid() === 0
  const name = isRoot ? chooseAccountName(process.env) : userInfo().username
  const account = findAccount(name)
  if (isRoot)
    process.stdout.write(
      `${account ? 'ok     ' : 'missing'}  account "${name}", as which Paddock goes on when root starts it\n`,
    )
  const report = reportHost(
    factsOf(account ?? { name, uid: -1 }, hostPaths(account?.home ?? `/home/${name}`, isRoot ? {} : process.env), {
      canHideCgroup2: isRoot,
    }),
  )
  process.stdout.write(`${report.text}\n`)
  return account && report.isReady ? 0 : 1
}

function demandSupported() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 18))
    throw new Failure(`Node ${process.versions.node} is too old`, {
      why: 'Paddock needs Node 20.18 or newer.',
      fix: 'Install a newer Node.',
    })
  if (process.platform === 'linux') return
  throw new Failure('Paddock’s sandboxes run on Linux only', {
    why: 'they are rootless Podman containers or krun microVMs of a Linux host.',
    fix: 'Use a Linux machine. The unit tests run here: npm ci && npm run test:unit',
  })
}

function demandHostOptions(args) {
  const unknown = args.find((argument) => !['--check', '--renew'].includes(argument))
  if (unknown)
    throw new Failure(`unknown option "${unknown}"`, {
      fix: 'Use --check to see what is missing, --renew to make the private Podman anew, or no option to prepare this machine.',
      exitCode: 2,
    })
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exitCode = error instanceof Failure ? error.exitCode : 1
}
