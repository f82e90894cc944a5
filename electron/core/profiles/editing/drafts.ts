import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Draft, draftSchema } from '../../../../shared/domain/draft.ts'
import { profileNamePattern } from '../../../../shared/domain/profile.ts'
import { setAside } from '../../store/set-aside.ts'
import { writeJson } from '../../store/write-json.ts'
import { maxTextBytes, refused } from './read-text.ts'

/** Unsaved texts of profiles, a file each: they outlive the page and the app, however either ends. */
export interface Drafts {
  /** Names of the profiles that have one. */
  list(): Promise<string[]>
  /** null where there is none, and where it was damaged: that one is set aside. */
  open(profile: string): Promise<Draft | null>
  /** Settles when it is on the disk. */
  keep(draft: Draft): Promise<void>
  /** Forgetting what is not there succeeds. */
  drop(profile: string): Promise<void>
  /** After a profile was renamed. */
  move(profile: string, to: string): Promise<void>
}

/** @param folder made when the first draft is kept */
export function createDrafts(folder: string): Drafts {
  let queue: Promise<unknown> = Promise.resolve()
  // One at a time: a draft that was dropped must not come back because an earlier one was still being written.
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = queue.then(work)
    queue = done.catch(() => {})
    return done
  }
  const fileOf = (profile: string) => {
    if (!profileNamePattern.test(profile)) throw refused(profile, 'it is no name of a profile')
    return join(folder, `${profile}.json`)
  }
  return {
    list: () =>
      inTurn(async () => {
        const names = await readdir(folder).catch(() => [])
        return names.flatMap((name) => (name.endsWith('.json') && profileNamePattern.test(name.slice(0, -5)) ? [name.slice(0, -5)] : [])).sort()
      }),
    open: (profile) => inTurn(() => readDraft(fileOf(profile))),
    keep: (draft) =>
      inTurn(async () => {
        for (const text of [draft.text, draft.base]) if (Buffer.byteLength(text) > maxTextBytes) throw refused(draft.profile, `more than ${maxTextBytes} bytes are no Containerfile`)
        await writeJson(fileOf(draft.profile), draft)
      }),
    drop: (profile) => inTurn(() => rm(fileOf(profile), { force: true })),
    move: (profile, to) =>
      inTurn(async () => {
        const draft = await readDraft(fileOf(profile))
        if (!draft) return
        await writeJson(fileOf(to), { ...draft, profile: to })
        await rm(fileOf(profile), { force: true })
      }),
  }
}

async function readDraft(file: string): Promise<Draft | null> {
  const json = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (json === null) return null
  try {
    return draftSchema.parse(JSON.parse(json))
  } catch {
    await setAside(file)
    return null
  }
}
