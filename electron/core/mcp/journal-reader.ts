import { type FSWatcher, watch } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { McpServerRecord } from '../../../shared/domain/mcp-activity.ts'
import { readJournal } from '../../../shared/domain/mcp-journal.ts'
import { startTicksOf } from '../process/start-ticks.ts'
import { readBounded } from '../store/read-bounded.ts'
import { journalName } from './journal-writer.ts'

/** More than there are; the newest count. */
const maxJournals = 40
const maxBytes = 1024 * 1024

/** What the `paddock mcp` processes of this account have noted. A folder that is not there holds none. */
export async function readJournals(folder: string): Promise<McpServerRecord[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => journalName.test(name))
  const dated = await Promise.all(names.map(async (name) => ({ name, at: await stat(join(folder, name)).then(({ mtimeMs }) => mtimeMs, () => 0) })))
  const newest = dated.sort((a, b) => b.at - a.at).slice(0, maxJournals)
  const records = await Promise.all(newest.map(async ({ name }) => readJournal(name, await readBounded(join(folder, name), maxBytes), ({ pid, startTicks }) => startTicksOf(pid) === startTicks)))
  return records.filter((record) => record !== null)
}

const settleMs = 100
/** A server that is killed writes nothing more. */
const lookEveryMs = 3_000

/** Tells of each change until the signal says stop. */
export async function followJournals(folder: string, onChange: () => void, signal: AbortSignal): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (signal.aborted) return
  let settling: NodeJS.Timeout | undefined
  const settle = () => {
    settling ??= setTimeout(() => {
      settling = undefined
      onChange()
    }, settleMs)
  }
  const watcher = watchFolder(folder, settle)
  const looking = setInterval(onChange, lookEveryMs)
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  clearTimeout(settling)
  clearInterval(looking)
  watcher?.close()
}

/** @returns null where the kernel gives no watch: the regular look is left, as it is when one fails later */
function watchFolder(folder: string, onChange: () => void): FSWatcher | null {
  try {
    return watch(folder, onChange).on('error', () => {})
  } catch {
    return null
  }
}
