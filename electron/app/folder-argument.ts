import { statSync } from 'node:fs'
import { resolve } from 'node:path'

/** The folder that the app was started with (`paddock open DIR`, a file manager's action), or null. */
export function folderArgument(argv: readonly string[], cwd: string): string | null {
  const words = argv.filter((word) => !word.startsWith('-'))
  const last = words.at(-1)
  if (last === undefined || words.length < 2) return null
  const folder = resolve(cwd, last)
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : null
}
