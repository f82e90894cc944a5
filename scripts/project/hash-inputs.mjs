import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A hash over the names and contents of files and folders; what does not exist counts as not there.
 *
 * @param {string} root
 * @param {string[]} paths relative to root
 */
export function hashInputs(root, paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((each) => listFiles(root, each)).sort()) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function listFiles(root, path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false })
  if (!stats) return []
  if (!stats.isDirectory()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => listFiles(root, join(path, name)))
}
