import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The Electron that `npm run bench` has found. @throws {Error} when it is started in another way */
export function electronProgram(): string {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (folder && existsSync(join(folder, 'electron'))) return join(folder, 'electron')
  throw new Error('ELECTRON_OVERRIDE_DIST_PATH names no Electron: start this with "npm run bench".')
}
