import { readFileSync } from 'node:fs'
import { ask } from '../process/run-step.mjs'
import { Failure } from '../process/failure.mjs'
import { nextFreeRange, rangeSize, hasRange } from './subordinate-ids.mjs'

/**
 * The account as which Paddock goes on when root started it: `PADDOCK_ACCOUNT`, else whoever called sudo, else
 * `paddock`.
 */
export function chooseAccountName(environment) {
  const name = environment.PADDOCK_ACCOUNT || sudoCaller(environment) || 'paddock'
  if (/^[a-z_][a-z0-9_-]{0,30}$/.test(name) && name !== 'root') return name
  throw new Failure(`"${name}" cannot be the account that Paddock runs as`, {
    why: 'PADDOCK_ACCOUNT must name an ordinary account: small letters, digits, - and _, and not root.',
    fix: 'Choose another name, or leave PADDOCK_ACCOUNT out.',
  })
}

function sudoCaller({ SUDO_USER: name, SUDO_UID: uid }) {
  return name && Number(uid) >= 1000 ? name : undefined
}

/** @returns {{ name: string, uid: number, gid: number, home: string, shell: string } | undefined} */
export function findAccount(name) {
  return parsePasswdLine(ask(['getent', 'passwd', name]))
}

/** One line of passwd(5); undefined when there is none. */
export function parsePasswdLine(line) {
  const [name, , uid, gid, , home, shell] = line?.split(':') ?? []
  if (!name || !home) return undefined
  return { name, uid: Number(uid), gid: Number(gid), home, shell: shell || '/bin/sh' }
}

/** Makes the account, or gives the one there is; both with subordinate ids. Needs root. */
export function ensureAccount(name) {
  const existing = findAccount(name)
  if (!existing)
    asRoot(['useradd', '--create-home', '--shell', '/bin/bash', name], `the account "${name}" could not be made`)
  const account = existing ?? findAccount(name)
  if (!account) throw new Failure(`the account "${name}" is not there although useradd made it`)
  if (account.uid === 0)
    throw new Failure(`the account "${name}" is another name for root`, {
      fix: 'Set PADDOCK_ACCOUNT to an ordinary account.',
    })
  if (!hasSubordinateIds(account)) asRoot(subordinateIdsCommand(account), `"${name}" could not get subordinate ids`)
  return { account, isNew: !existing }
}

/** Whether rootless Podman can map more ids than the person's own; newuidmap(1) reads the same two files. */
export function hasSubordinateIds({ name, uid }) {
  if (['/etc/subuid', '/etc/subgid'].every((file) => hasRange(read(file), name, uid))) return true
  // Some networks keep the ranges elsewhere; shadow's own program knows them all.
  return Boolean(ask(['getsubids', name]) && ask(['getsubids', '-g', name]))
}

/** The command with which root gives the account its subordinate ids. */
export function subordinateIdsCommand({ name }) {
  const start = nextFreeRange([read('/etc/subuid'), read('/etc/subgid')])
  const range = `${start}-${start + rangeSize - 1}`
  return ['usermod', '--add-subuids', range, '--add-subgids', range, name]
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function asRoot(argv, problem) {
  if (ask(argv) === undefined)
    throw new Failure(problem, {
      why: `this command failed: ${argv.join(' ')}`,
      fix: 'Run that command by hand to see why; then start Paddock again.',
    })
}
