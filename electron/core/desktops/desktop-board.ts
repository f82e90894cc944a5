import { watch } from 'node:fs'
import { access, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DesktopAct, desktopActSchema, type DesktopBoard } from '../../../shared/domain/desktop-act.ts'
import { readBounded } from '../store/read-bounded.ts'

/**
 * What the window and MCP servers, which are processes of their own, tell each other of desktops: whether the person has
 * paused the agents, and what an agent did last. It lies on this machine, where nothing in a sandbox can write.
 */
export interface DesktopBoards {
  read(sandboxId: string): Promise<DesktopBoard>
  isPaused(sandboxId: string): Promise<boolean>
  pause(sandboxId: string, isPaused: boolean): Promise<void>
  /** Nothing of it fails: a mark that cannot be written is none. */
  note(sandboxId: string, act: DesktopAct): Promise<void>
  /** Tells the id of each sandbox whose board changed, until the signal says stop. */
  follow(onChange: (sandboxId: string) => void, signal: AbortSignal): Promise<void>
}

const maxActBytes = 1_000
const namePattern = /^([0-9a-f]{64})\.(paused|act)$/
/** A sandbox that is gone leaves its board behind, and one that a person paused may run for months. */
const keptMs = 365 * 24 * 3_600_000

/** @param folder made when first written to, 0700 */
export function createDesktopBoards(folder: string): DesktopBoards {
  const file = (id: string, kind: 'paused' | 'act') => join(folder, `${id}.${kind}`)
  const make = () => mkdir(folder, { recursive: true, mode: 0o700 })
  const isPaused: DesktopBoards['isPaused'] = (id) => access(file(id, 'paused')).then(() => true, () => false)
  return {
    isPaused,
    read: async (id) => ({ isPaused: await isPaused(id), act: await readAct(file(id, 'act')) }),
    async pause(id, wanted) {
      await make()
      if (wanted) await writeFile(file(id, 'paused'), '', { mode: 0o600 })
      else await rm(file(id, 'paused'), { force: true })
    },
    async note(id, act) {
      try {
        await make()
        const next = `${file(id, 'act')}.${process.pid}`
        await writeFile(next, JSON.stringify(act), { mode: 0o600 })
        await rename(next, file(id, 'act'))
      } catch {
        // A full disk is no reason to refuse a click.
      }
    },
    async follow(onChange, signal) {
      await make()
      await tidy(folder)
      if (signal.aborted) return
      const watcher = watch(folder, (_event, name) => {
        const id = namePattern.exec(name ?? '')?.[1]
        if (id) onChange(id)
      })
      watcher.on('error', () => {})
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      watcher.close()
    },
  }
}

async function readAct(path: string): Promise<DesktopAct | null> {
  try {
    return desktopActSchema.parse(JSON.parse(await readBounded(path, maxActBytes)))
  } catch {
    return null
  }
}

async function tidy(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > keptMs) await rm(join(folder, name), { force: true })
  }
}
