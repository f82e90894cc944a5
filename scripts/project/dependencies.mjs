import { join } from 'node:path'
import { withLock } from '../process/lock.mjs'
import { runStep } from '../process/run-step.mjs'
import { hashInputs } from './hash-inputs.mjs'
import { findNodeHeaders, npmCommand } from './npm-settings.mjs'
import { hasStamp, writeStamp } from './stamp.mjs'

const stampFile = (root) => join(root, 'node_modules/.paddock-lock-hash')

// The Node version counts because addons are compiled for it.
const wantedStamp = (root) => `${hashInputs(root, ['package.json', 'package-lock.json'])} ${process.versions.modules}`

/** Whether node_modules is complete and holds what the lock file says. */
export function areDependenciesCurrent(root) {
  return hasStamp(stampFile(root), wantedStamp(root))
}

/** Installs the dependencies exactly as locked, unless they are there. */
export async function ensureDependencies(root, lockFile) {
  if (areDependenciesCurrent(root)) return
  await withLock(lockFile, 'installing dependencies or building', async (lock) => {
    if (areDependenciesCurrent(root)) return
    const headers = findNodeHeaders()
    await runStep({
      title: 'installing dependencies (npm ci)',
      why: 'they are missing or the lock file has changed',
      argv: [
        ...npmCommand(),
        'ci',
        '--include=dev',
        '--no-audit',
        '--no-fund',
        // Where progress is folded into one line, each download is shown; elsewhere only what goes wrong.
        `--loglevel=${process.stderr.isTTY ? 'http' : 'error'}`,
        '--no-update-notifier',
      ],
      cwd: root,
      lock,
      env: { ...(headers ? { npm_config_nodedir: headers } : {}), ...process.env },
      fix: explainNpm,
    })
    writeStamp(stampFile(root), wantedStamp(root))
  })
}

/** What to do about a failed `npm ci`, from what it printed. */
export function explainNpm(output) {
  if (/EUSAGE/.test(output))
    return 'package.json and package-lock.json do not belong together. Get a clean checkout, or bring the lock file up to date with npm install.'
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|network/i.test(output)) {
    return 'The npm registry cannot be reached. Check the network and the npm settings registry, proxy and https-proxy; then run the same command again.'
  }
  if (/CERT|certificate|self.signed/i.test(output)) {
    return 'The registry’s certificate is not trusted. Point npm’s setting cafile and NODE_EXTRA_CA_CERTS at your company’s CA file; then run the same command again.'
  }
  if (/E401|E403/.test(output))
    return 'The registry wants a log-in. Put it into ~/.npmrc of the account that runs this; then run the same command again.'
  if (/gyp/.test(output))
    return 'A part had to be compiled and was not. It needs python3, make and g++, and the headers of this Node; then run the same command again.'
  return 'Run the same command again; npm starts afresh.'
}
