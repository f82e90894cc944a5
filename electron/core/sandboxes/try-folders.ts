import { randomUUID } from 'node:crypto'
import { mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sandboxLabels } from '../../../shared/domain/launch.ts'
import { profileNamePattern } from '../../../shared/domain/profile.ts'
import { tryName } from '../../../shared/domain/try-folder.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { listContainers } from '../engine/containers.ts'
import type { Podman } from '../engine/podman.ts'

/** Empty folders of Paddock's own, each made for one throwaway sandbox. */
export interface TryFolders {
  /** @returns a new folder, links resolved; nobody tidies it away before `release` @throws {PaddockError} `profile-unknown` */
  create(profile: string): Promise<string>
  /** The launch is over: from now on the folder stays for as long as a sandbox stands on it. */
  release(folder: string): void
  /** Removes the folders on which no sandbox stands, those that a crash left behind too. Never throws. */
  tidy(): Promise<void>
}

const namePattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Podman's words for a sandbox that is over and was kept. */
const overStates = new Set(['exited', 'stopped', 'dead', 'removing'])

/** @param triesFolder only this app makes folders in it, and one app runs at a time */
export function createTryFolders(podman: Podman, triesFolder: string): TryFolders {
  const launching = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()

  const tidy = async () => {
    const names = (await readdir(triesFolder).catch(() => [])).filter((name) => namePattern.test(name) && !launching.has(name))
    if (names.length === 0) return
    const containers = (await listContainers(podman)).filter(({ State }) => !overStates.has(State.toLowerCase()))
    const used = containers.map(({ Labels }) => Labels?.[sandboxLabels.project] ?? '')
    for (const name of names) {
      // Launched while Podman answered.
      if (launching.has(name) || used.some((folder) => nameOf(folder) === name)) continue
      await removeTree(podman, join(triesFolder, name))
    }
  }

  return {
    async create(profile) {
      // It becomes part of a path.
      if (!profileNamePattern.test(profile)) throw new PaddockError({ code: 'profile-unknown', message: `There is no profile "${profile}".` })
      const name = randomUUID()
      launching.add(name)
      const folder = join(triesFolder, name, tryName(profile))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      return realpath(folder)
    },
    release: (folder) => void launching.delete(nameOf(folder)),
    tidy() {
      // One after the other: two would ask Podman the same and remove the same.
      const done = last.then(tidy).catch(() => {})
      last = done
      return done
    },
  }
}

const nameOf = (folder: string) => dirname(folder).split('/').at(-1)!

/**
 * Removes what a sandbox may have made of its folder: closed folders, paths that are too long to name, files of
 * subordinate ids. No link is followed.
 */
async function removeTree(podman: Podman, folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch {
    await podman.try(['unshare', 'rm', '-rf', '--', folder])
  }
}
