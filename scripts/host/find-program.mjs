import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'

/** Podman keeps the programs that only it calls outside the search path. */
const helperFolders = ['/usr/lib/podman', '/usr/libexec/podman', '/usr/local/lib/podman', '/usr/local/libexec/podman']

/** An ordinary user's search path often lacks these, and Podman looks there all the same. */
export const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin']

/**
 * The folders of a search path that may be trusted with any program's name, root's too. npm puts `node_modules/.bin` of
 * every folder above the checkout in front, which may be anybody's where that is /tmp; a relative folder is whatever the
 * person stands in.
 */
export function trustedFolders(path) {
  return path.split(':').filter((folder) => folder.startsWith('/') && !folder.endsWith('/node_modules/.bin'))
}

/** The full path of a program, as Podman would find it; undefined when there is none. */
export function findProgram(name, path = process.env.PATH ?? '') {
  const folders = [...path.split(':').filter(Boolean), ...systemFolders, ...helperFolders]
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
