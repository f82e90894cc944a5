import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder that the app was started with (`paddock open DIR`, a file manager's action), or null.
 * @param argv Chromium's switches may stand anywhere
 * @param isPackaged false when the first word is the app's own folder, as in `electron . DIR`
 */
export function folderArgument(argv: readonly string[], cwd: string, isPackaged: boolean): string | null {
  const last = argv.slice(1).filter((word) => !word.startsWith('-')).slice(isPackaged ? 0 : 1).at(-1)
  if (last === undefined) return null
  const folder = resolve(cwd, fromAddress(last))
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : null
}

/** Some file managers hand over `file:` addresses. */
function fromAddress(word: string): string {
  if (!word.startsWith('file:///')) return word
  try {
    return fileURLToPath(word)
  } catch {
    return word
  }
}
