import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'

/** Podman keeps the programs that only it calls outside the search path. */
const helperFolders = ['/usr/lib/podman', '/usr/libexec/podman', '/usr/local/lib/podman', '/usr/local/libexec/podman']

/** An ordinary user's search path often lacks these, and Podman looks there all the same. */
export const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin']

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
