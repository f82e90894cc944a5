import { mkdir, open, readdir, readFile, rm, rmdir, stat } from 'node:fs/promises'
import { constants } from 'node:fs'
import { join } from 'node:path'

/** The folder of one launch: what is mounted into it and what it tells. */
export interface LaunchRecord {
  launchId: string
  folder: string
  cidFile: string
  bootIdFile: string
  /** Present when the launcher saw a microVM's kernel; not mounted, so the sandbox cannot write it. */
  verifiedFile: string
}

const launchIdPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The record of a launch; null for an id that is none, since ids also come from labels of containers. */
export function launchRecord(launchesFolder: string, launchId: string): LaunchRecord | null {
  if (!launchIdPattern.test(launchId)) return null
  const folder = join(launchesFolder, launchId)
  return { launchId, folder, cidFile: join(folder, 'container-id'), bootIdFile: join(folder, 'boot-id'), verifiedFile: join(folder, 'verified-microvm') }
}

/** Makes the folder (0700) with an empty boot-id file in it. */
export async function createLaunchRecord(record: LaunchRecord): Promise<void> {
  await mkdir(record.folder, { recursive: true, mode: 0o700 })
  const file = await open(record.bootIdFile, 'wx', 0o600)
  await file.close()
}

/** Removing what does not exist succeeds. */
export async function removeLaunchRecord({ folder, cidFile, bootIdFile, verifiedFile }: LaunchRecord): Promise<void> {
  // Only what Paddock made: a launch waits for this at its end, and a recursive removal costs several times as much.
  await Promise.all([cidFile, bootIdFile, verifiedFile].map((file) => rm(file, { force: true })))
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}

const bootIdLength = 37

/**
 * Reads what the sandbox reported. The sandbox can write anything of any length into this file: no more than a boot id
 * is read, and no link is followed.
 * @returns null when there is no report yet
 */
export async function readReportedBootId({ bootIdFile }: LaunchRecord): Promise<string | null> {
  try {
    const file = await open(bootIdFile, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bootIdLength), 0, bootIdLength, 0)
      return bytesRead === 0 ? null : buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}

/** Whether the launcher saw a microVM's kernel in this very container: a label alone can be borrowed. */
export async function isVerifiedMicrovm({ verifiedFile, cidFile }: LaunchRecord, containerId: string): Promise<boolean> {
  const [verified, launched] = await Promise.all([stat(verifiedFile).catch(() => null), readFile(cidFile, 'utf8').catch(() => '')])
  return verified !== null && launched.trim() === containerId
}

/** Records older than this whose sandbox is gone are left over from a launch that was killed. */
const leftOverAfterMs = 60_000

/** Removes the records whose sandbox is gone. */
export async function removeLeftOverRecords(launchesFolder: string, liveLaunchIds: ReadonlySet<string>): Promise<void> {
  const names = await readdir(launchesFolder).catch(() => [])
  const records = names.filter((name) => !liveLaunchIds.has(name)).map((name) => launchRecord(launchesFolder, name))
  await Promise.all(
    records.map(async (record) => {
      if (record === null) return
      const age = await stat(record.folder).then(({ mtimeMs }) => Date.now() - mtimeMs, () => 0)
      if (age > leftOverAfterMs) await removeLaunchRecord(record)
    }),
  )
}
