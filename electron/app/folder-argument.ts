import { statSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * The folder that the app was started with (`paddock open DIR`, a file manager's action), or null.
 * @param isPackaged false when the second word is the app's own folder, as in `electron . DIR`
 */
export function folderArgument(argv: readonly string[], cwd: string, isPackaged: boolean): string | null {
  const last = argv.slice(isPackaged ? 1 : 2).findLast((word) => !word.startsWith('-'))
  if (last === undefined) return null
  const folder = resolve(cwd, last)
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : null
}
