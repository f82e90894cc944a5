import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { type HostFolder, openNamed } from './host-folder.ts'

/**
 * Writes a file that a person named, for them alone: others see the old one or the new one. What is no file, such as
 * /dev/null, is written to.
 * @param path absolute
 * @param guarded absolute real paths where a sandbox can write: no link there is followed
 * @throws {PaddockError} `copy-failed` with what is in the way
 */
export async function saveFile(path: string, bytes: Uint8Array, guarded: readonly string[]): Promise<void> {
  const { folder, name } = await openNamed(path, guarded)
  try {
    const existing = await folder.stat(name).catch(() => null)
    if (existing === null || existing.isFile()) await replace(folder, name, bytes)
    else await writeTo(await open(folder.at(name), constants.O_WRONLY | constants.O_NOFOLLOW), bytes)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new PaddockError({ code: 'copy-failed', message: `${path} cannot be written: ${reasons.get(code) ?? message}.`, hint: 'Name another place.' }, { cause: error })
  } finally {
    await folder.close()
  }
}

const reasons = new Map<unknown, string>([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EISDIR', 'it is a folder'],
  ['ENOSPC', 'there is no room'],
  ['EROFS', 'it can only be read there'],
])

async function replace(folder: HostFolder, name: string, bytes: Uint8Array): Promise<void> {
  const part = `.${basename(name)}.${randomBytes(6).toString('hex')}.part`
  try {
    await writeTo(await open(folder.at(part), 'wx', 0o600), bytes)
    await folder.rename(part, name)
  } catch (error) {
    await folder.remove(part).catch(() => {})
    throw error
  }
}

const writeTo = (file: FileHandle, bytes: Uint8Array) => file.writeFile(bytes).finally(() => file.close())
