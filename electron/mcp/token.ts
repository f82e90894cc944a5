import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { PaddockError } from '../../shared/errors/paddock-error.ts'

const tokenBytes = 32
const tokenPattern = /^[\w-]{32,200}$/

export const createToken = () => randomBytes(tokenBytes).toString('base64url')

/**
 * The token of a file, which is made (0600) when it is not there.
 * @throws {PaddockError} `usage` for a file that others may read, that is a link, or that holds no token
 */
export async function tokenFromFile(path: string): Promise<string> {
  const made = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null
    throw unusable(path, error.code ?? error.message)
  })
  if (made) {
    const token = createToken()
    try {
      await made.writeFile(`${token}\n`)
    } finally {
      await made.close()
    }
    return token
  }
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw unusable(path, error.code === 'ELOOP' ? 'it is a link' : (error.code ?? error.message))
  })
  try {
    const { mode, uid } = await file.stat()
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw unusable(path, 'it is no regular file')
    if (uid !== process.getuid?.()) throw unusable(path, 'it is not yours')
    if ((mode & 0o077) !== 0) throw unusable(path, 'others may read or write it: chmod 600')
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1_000), 0, 1_000, 0)
    const token = buffer.toString('utf8', 0, bytesRead).trim()
    if (!tokenPattern.test(token)) throw unusable(path, 'it holds no token of 32 letters, digits, "-" or "_" or more')
    return token
  } finally {
    await file.close()
  }
}

function unusable(path: string, why: string): PaddockError {
  return new PaddockError({ code: 'usage', message: `${path} cannot hold the token: ${why}.`, hint: 'Name a file that is not there yet; it is made, for you alone.' })
}
