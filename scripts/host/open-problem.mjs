import { closeSync, openSync } from 'node:fs'

/**
 * Why this process cannot open a device for reading and writing: the system's name for the error, such as `EACCES`;
 * undefined when it can.
 */
export function openProblem(path) {
  try {
    closeSync(openSync(path, 'r+'))
    return undefined
  } catch (error) {
    return error.code
  }
}
