import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import * as z from 'zod/mini'
import { projectSchema, type RecentProject } from '../../../shared/domain/recent-project.ts'
import { setAside } from '../store/set-aside.ts'
import { writeJson } from '../store/write-json.ts'

const storedSchema = z.array(z.omit(projectSchema, { name: true, exists: true }))
type Stored = z.infer<typeof storedSchema>[number]

/** More are forgotten, the oldest first; pinned ones stay. */
const maxRemembered = 200

/** The project folders that the person has opened, pinned ones first, then the latest. */
export interface Projects {
  list(): Promise<RecentProject[]>
  /** Adds a folder or moves it to the top. @param profile what it was launched with */
  open(folder: string, profile?: string): Promise<void>
  pin(folder: string, pinned: boolean): Promise<void>
  /** Forgets a folder; forgetting an unknown one succeeds. */
  remove(folder: string): Promise<void>
}

export function createProjects(file: string, onChange: () => void, onDamaged: (aside: string) => void): Projects {
  let queue: Promise<unknown> = Promise.resolve()
  // One at a time, reads too: who finds the file damaged moves it away, and must not move what was written since.
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = queue.then(work)
    queue = done.catch(() => {})
    return done
  }
  const change = (edit: (stored: Stored[]) => Stored[]) =>
    inTurn(async () => {
      await writeJson(file, trim(edit(await read(file, onDamaged))))
      onChange()
    })
  return {
    async list() {
      return Promise.all(sorted(await inTurn(() => read(file, onDamaged))).map(describe))
    },
    open: (folder, profile) =>
      change((stored) => {
        const known = stored.find((project) => project.folder === folder)
        const opened = { folder, pinned: known?.pinned ?? false, lastProfile: profile ?? known?.lastProfile ?? null, lastOpenedAt: new Date().toISOString() }
        return [opened, ...stored.filter((project) => project.folder !== folder)]
      }),
    pin: (folder, pinned) => change((stored) => stored.map((project) => (project.folder === folder ? { ...project, pinned } : project))),
    remove: (folder) => change((stored) => stored.filter((project) => project.folder !== folder)),
  }
}

async function read(file: string, onDamaged: (aside: string) => void): Promise<Stored[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw error
  })
  try {
    return storedSchema.parse(JSON.parse(text))
  } catch {
    onDamaged(await setAside(file))
    return []
  }
}

const sorted = (stored: readonly Stored[]) =>
  [...stored].sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.lastOpenedAt.localeCompare(a.lastOpenedAt))

function trim(stored: Stored[]): Stored[] {
  return sorted(stored).filter(({ pinned }, index) => pinned || index < maxRemembered)
}

async function describe(stored: Stored): Promise<RecentProject> {
  const exists = await stat(stored.folder).then((found) => found.isDirectory(), () => false)
  return { ...stored, name: basename(stored.folder), exists }
}
