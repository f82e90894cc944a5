import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/**
 * Reads a file that another process writes. No link is followed, and nothing that never ends is waited for.
 * @returns null for what is no file, or cannot be read
 */
export async function readPlainFile<T>(path: string, read: (file: FileHandle, stats: Stats) => Promise<T>): Promise<T | null> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
  if (file === null) return null
  try {
    const stats = await file.stat()
    return stats.isFile() ? await read(file, stats) : null
  } catch {
    return null
  } finally {
    await file.close()
  }
}

/** The beginning of such a file; empty for what is none. */
export async function readBounded(path: string, maxBytes: number): Promise<string> {
  return (await readPlainFile(path, (file, { size }) => readStretch(file, 0, Math.min(size, maxBytes)))) ?? ''
}

/** What lies from one place of a file to another. */
export async function readStretch(file: FileHandle, from: number, to: number): Promise<string> {
  const length = Math.max(0, to - from)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
  return buffer.toString('utf8', 0, bytesRead)
}
