import { accessSync, constants } from 'node:fs'

/** Whether this account may read a file. */
export const isReadable = (path: string): boolean => mayAccess(path, constants.R_OK)

/** Whether this account may run a program. */
export const isExecutable = (path: string): boolean => mayAccess(path, constants.X_OK)

function mayAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
