import { createHash } from 'node:crypto'
import { join } from 'node:path'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'

/** At the top of a checkout: what each copy makes for itself, or never needs. */
const ownToEachCopy = new Set(['.git', 'node_modules', 'dist', 'coverage', 'release', 'screenshots'])

/** Where the account keeps its copy of a checkout; each checkout has its own. */
export function mirrorFolder(home, checkout) {
  const id = createHash('sha256').update(checkout).digest('hex').slice(0, 12)
  return join(home, '.cache/paddock', `source-${id}`)
}

/**
 * Makes `mirror` hold what `checkout` holds. Only files that differ in size, time or mode are copied, and files that
 * vanished are removed, so a run with nothing to do costs one look at each file. A copy that its owner cannot bring up
 * to date is set aside, and a new one made.
 *
 * @param {string} checkout read with this process's rights
 * @param {string} mirror
 * @param {(action: () => unknown) => unknown} asOwner runs an action with the rights of the mirror's owner
 * @returns {{ copied: number, removed: number }}
 */
export function mirrorCheckout(checkout, mirror, asOwner = (action) => action()) {
  const wanted = listTree(checkout)
  try {
    return bringUpToDate(checkout, wanted, mirror, asOwner)
  } catch (error) {
    if (!isDenied(error) || !asOwner(() => existsSync(mirror))) throw error
    // Something in the copy belongs to another account. A new copy costs less than asking root to remove it, who would
    // have to trust each folder on the way.
    asOwner(() => setAside(mirror))
    return bringUpToDate(checkout, wanted, mirror, asOwner)
  }
}

function bringUpToDate(checkout, wanted, mirror, asOwner) {
  const present = asOwner(() => {
    mkdirSync(mirror, { recursive: true, mode: 0o700 })
    return listTree(mirror)
  })
  const vanished = new Set([...present.keys()].filter((path) => wanted.get(path)?.kind !== present.get(path).kind))
  const changed = [...wanted].filter(([path, entry]) => vanished.has(path) || !isSame(entry, present.get(path)))
  asOwner(() => {
    for (const path of vanished) rmSync(join(mirror, path), { recursive: true, force: true })
  })
  for (const [path, entry] of changed) {
    const content = entry.kind === 'file' ? readIfThere(join(checkout, path)) : undefined
    if (entry.kind === 'file' && content === undefined) continue
    asOwner(() => put(join(mirror, path), entry, content))
  }
  return { copied: changed.length, removed: vanished.size }
}

/** Moves a copy out of the way and removes what its owner can remove of it. */
function setAside(mirror) {
  const aside = `${mirror}.set-aside-${Date.now()}`
  renameSync(mirror, aside)
  for (const name of readdirSync(aside)) {
    try {
      rmSync(join(aside, name), { recursive: true, force: true })
    } catch (error) {
      if (!isDenied(error)) throw error
    }
  }
}

function isDenied(error) {
  return error.code === 'EACCES' || error.code === 'EPERM'
}

function put(path, entry, content) {
  if (entry.kind === 'folder') return mkdirSync(path, { recursive: true })
  const fresh = `${path}.paddock-${process.pid}`
  rmSync(fresh, { force: true })
  if (entry.kind === 'link') symlinkSync(entry.target, fresh)
  else {
    writeFileSync(fresh, content, { flag: 'wx' })
    chmodSync(fresh, entry.mode)
    utimesSync(fresh, entry.mtimeMs / 1000, entry.mtimeMs / 1000)
  }
  // Last, in one step: a copy that was interrupted is never taken for the file.
  renameSync(fresh, path)
}

/** Every file, link and folder below `root` by its relative path, parents first. Sockets and devices are left out. */
function listTree(root) {
  const entries = new Map()
  const visit = (folder) => {
    for (const name of readdirSync(join(root, folder))) {
      if (folder === '' && ownToEachCopy.has(name)) continue
      const path = join(folder, name)
      const entry = describe(join(root, path))
      if (!entry) continue
      entries.set(path, entry)
      if (entry.kind === 'folder') visit(path)
    }
  }
  visit('')
  return entries
}

function describe(path) {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory()) return { kind: 'folder' }
  if (stats?.isSymbolicLink()) return { kind: 'link', target: readlinkSync(path) }
  // Whole milliseconds: that is what utimes can set again.
  if (stats?.isFile())
    return { kind: 'file', size: stats.size, mode: stats.mode & 0o777, mtimeMs: Math.floor(stats.mtimeMs) }
  return undefined
}

function isSame(wanted, present) {
  return (
    present !== undefined &&
    Object.keys(wanted).every((key) =>
      key === 'mtimeMs' ? Math.abs(wanted[key] - present[key]) <= 1 : wanted[key] === present[key],
    )
  )
}

function readIfThere(path) {
  try {
    return readFileSync(path)
  } catch (error) {
    // Edited while we looked: the next run copies it.
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
