import { type FSWatcher, watch } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** An editor writes a file in several steps. */
const settleMs = 200
/** More than anybody's profiles have; each takes one of the kernel's watches. */
const maxFolders = 500
/** A folder that a profile copies from lies a few levels below it. */
const maxDepth = 4

export interface ProfilesWatch {
  /** Settles when changes are noticed from now on. */
  begun: Promise<void>
  close(): void
}

/**
 * Tells of each change below a folder of profiles, in files and in which there are; of several at once, once. The folder
 * is made if it is not there. Where the kernel gives no watch nothing is told.
 */
export function watchProfiles(folder: string, onChange: () => void): ProfilesWatch {
  const state: { watchers: FSWatcher[]; settling: NodeJS.Timeout | undefined; following: Promise<void>; isClosed: boolean } = { watchers: [], settling: undefined, following: Promise.resolve(), isClosed: false }
  const settle = () => {
    state.settling ??= setTimeout(() => {
      state.settling = undefined
      state.following = state.following.then(follow).then(() => void (state.isClosed || onChange()))
    }, settleMs)
  }
  // All anew: what is watched is a folder and not its name, and one may have been put in another's place.
  const follow = async () => {
    const folders = await foldersBelow(folder, 0)
    if (state.isClosed) return
    const fresh = folders.slice(0, maxFolders).flatMap((one) => watchOne(one, settle))
    for (const watcher of state.watchers.splice(0)) watcher.close()
    state.watchers = fresh
  }
  state.following = mkdir(folder, { recursive: true }).then(follow, () => {})
  return {
    begun: state.following,
    close() {
      state.isClosed = true
      clearTimeout(state.settling)
      for (const watcher of state.watchers.splice(0)) watcher.close()
    },
  }
}

function watchOne(folder: string, onChange: () => void): FSWatcher[] {
  try {
    return [watch(folder, { persistent: false }, onChange).on('error', onChange)]
  } catch {
    return []
  }
}

/** A folder and those below it. A profile may be a link to a folder; below it none is followed. */
async function foldersBelow(folder: string, depth: number): Promise<string[]> {
  if (depth >= maxDepth) return [folder]
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const inner = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name)
      const isFolder = entry.isDirectory() || (depth === 0 && entry.isSymbolicLink() && (await stat(path).then((stats) => stats.isDirectory(), () => false)))
      return isFolder ? foldersBelow(path, depth + 1) : []
    }),
  )
  return [folder, ...inner.flat()]
}
