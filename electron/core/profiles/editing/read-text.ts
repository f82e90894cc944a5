import { createHash } from 'node:crypto'
import { constants, type FileHandle, open } from 'node:fs/promises'
import { PaddockError } from '../../../../shared/errors/paddock-error.ts'

/** More than any Containerfile that people write; the editor, too, has to hold it. */
export const maxTextBytes = 1024 * 1024

/** Names a text: two are the same when their hashes are. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** The error for a file or folder that Paddock will not take. @param why a clause without a full stop */
export function refused(path: string, why: string): PaddockError {
  return new PaddockError({ code: 'profile-refused', message: `${path} is refused: ${why}.` })
}

/**
 * Reads a text of a profile: a regular file, no link, of bounded size, in UTF-8.
 * @param shown what people know it as, for errors
 * @returns null when there is none
 * @throws {PaddockError} `profile-refused`
 */
export async function readText(path: string, shown = path): Promise<string | null> {
  const file = await openPlain(path, shown)
  if (!file) return null
  try {
    const { size } = await file.stat()
    if (size > maxTextBytes) throw refused(shown, `it has ${size} bytes, and more than ${maxTextBytes} are no Containerfile`)
    const bytes = await file.readFile()
    if (bytes.includes(0)) throw refused(shown, 'it is no text')
    return decode(bytes, shown)
  } finally {
    await file.close()
  }
}

/** Opens what is a regular file itself: a link, a device or a pipe in its place is not followed and not waited for. */
async function openPlain(path: string, shown: string): Promise<FileHandle | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    if (error.code === 'ELOOP') throw refused(shown, 'it is a link')
    throw refused(shown, error.message)
  })
  if (!file || (await file.stat()).isFile()) return file
  await file.close()
  throw refused(shown, 'it is no file')
}

function decode(bytes: Buffer, path: string): string {
  try {
    // A byte order mark is a part of the text: what is written back has it too.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refused(path, 'it is not in UTF-8')
  }
}
