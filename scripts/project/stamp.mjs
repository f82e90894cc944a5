import { readFileSync, writeFileSync } from 'node:fs'

/** Whether the stamp file holds this value. */
export function hasStamp(file, value) {
  try {
    return readFileSync(file, 'utf8').trim() === value
  } catch {
    return false
  }
}

/** Written last, when what it stands for is complete. */
export function writeStamp(file, value) {
  writeFileSync(file, `${value}\n`)
}
