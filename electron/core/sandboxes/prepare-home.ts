import { randomUUID } from 'node:crypto'
import { lstat, mkdir, rename } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { mountSources } from '../../../shared/domain/mount-sources.ts'
import type { RunOption } from '../../../shared/domain/run-flags.ts'
import { projectMountPoint } from '../../../shared/domain/sandbox.ts'

/**
 * Makes the homes that an expanded label mounts, and in each the folder over which the project is mounted: Podman would
 * stop at a missing home, and make a missing mount point under a subordinate id.
 * The inside of a home belongs to the sandbox: whatever an agent left in the mount point's place, a link above all, is
 * moved aside and never followed.
 * @returns notes for the person
 */
export async function prepareHomes(options: readonly RunOption[], homesFolder: string): Promise<string[]> {
  const sources = mountSources(options).flatMap(({ source, isPath }) => (isPath ? [resolve(source)] : []))
  // What lies deeper is inside another home, where an agent may have put a link.
  const homes = [...new Set(sources)].filter((source) => dirname(source) === homesFolder)
  const notes = await Promise.all(homes.map(prepareHome))
  return notes.flat()
}

async function prepareHome(home: string): Promise<string[]> {
  await mkdir(home, { recursive: true, mode: 0o700 })
  const mountPoint = join(home, basename(projectMountPoint))
  const found = await lstat(mountPoint).catch(() => null)
  if (found?.isDirectory()) return []
  const aside = `${mountPoint}.aside-${randomUUID()}`
  if (found) await rename(mountPoint, aside)
  try {
    await mkdir(mountPoint, { mode: 0o755 })
  } catch (error) {
    // Another launch, at the same moment, was first.
    if (!(await lstat(mountPoint)).isDirectory()) throw error
  }
  return found ? [`${mountPoint} was no folder; it was moved to ${aside}.`] : []
}
