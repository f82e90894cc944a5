import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** No link is followed, and nothing that never ends is waited for. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Reads a file that another process writes, in safety from what that makes of it.
 * @returns null for what is no file, or cannot be read
 */
export async function readPlainFile<T>(path: string, read: (file: FileHandle, stats: Stats) => Promise<T>): Promise<T | null> {
  const file = await open(path, openFlags).catch(() => null)
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

/**
 * A part of such a file, read without a thread: what is looked at every few milliseconds while a sandbox starts takes time
 * from that start, and in the app most of it goes into the ways to a thread and back.
 * @param length bytes, at most
 * @returns null for what is no file, cannot be read or is empty there
 */
export function readPartNow(path: string, from: number, length: number): string | null {
  let file: number | undefined
  try {
    file = openSync(path, openFlags)
    const stats = fstatSync(file)
    if (!stats.isFile() || stats.size <= from) return null
    const buffer = Buffer.alloc(Math.min(length, stats.size - from))
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, from)) || null
  } catch {
    return null
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
