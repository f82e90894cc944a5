import { type FSWatcher, watch } from 'node:fs'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { type EgressRequest, readRequests } from '../../../../shared/domain/egress-request.ts'
import { readPlainFile, readStretch } from '../../store/read-bounded.ts'
import { historyFileOf, logFileOf, type ProxyPlace } from './proxy-place.ts'

/** Which sandbox a launch was; outlives it, so that its log can be asked for. */
const historySchema = z.object({ launchId: z.string(), sandboxId: z.string(), profile: z.string(), project: z.string() })
export type EgressHistory = z.infer<typeof historySchema>

export const noteHistory = (place: ProxyPlace, history: EgressHistory) => writeFile(historyFileOf(place, history.launchId), JSON.stringify(history), { mode: 0o600 })

/** Which sandboxes some launches were; without those that no log is kept of. */
export async function historyOf(place: ProxyPlace, launchIds: readonly string[]): Promise<EgressHistory[]> {
  const read = async (launchId: string) => {
    try {
      return [historySchema.parse(JSON.parse(await readFile(historyFileOf(place, launchId), 'utf8')))]
    } catch {
      return []
    }
  }
  return (await Promise.all(launchIds.map(read))).flat()
}

/** All sandboxes whose log is kept. */
export async function readHistory(place: ProxyPlace): Promise<EgressHistory[]> {
  const names = await readdir(place.historyFolder).catch(() => [])
  return historyOf(place, names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length)))
}

/** Reads the requests of a launch that are kept, the oldest first. A log that is not there holds none. */
export type LogReader = (launchId: string) => Promise<EgressRequest[]>

/** More than `note` writes into a file. Whoever took the proxy over may write anything there. */
const maxLogBytes = 2 * 1024 * 1024
/** A sandbox that asks without end has its log looked at so often, and leaves time for all else. */
const readAgainMs = 250

/** Of a file, the lines that were read so far; it keeps them when it is renamed. */
interface ReadPart {
  bytes: number
  requests: EgressRequest[]
}

/** A reader that reads only what was written since it last read, and that not at once: who follows a log asks at each writing. */
export function createLogReader(place: ProxyPlace): LogReader {
  const read = new Map<string, { stamp: string; at: number; parts: Map<string, ReadPart>; requests: EgressRequest[] }>()
  return async (launchId) => {
    const file = logFileOf(place, launchId)
    const files = [`${file}.1`, file]
    const stampNow = async () => (await Promise.all(files.map((path) => stat(path).then(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`, () => '')))).join()
    const before = read.get(launchId)
    if (before && before.stamp === (await stampNow())) return before.requests
    if (before) await sleep(Math.max(0, before.at + readAgainMs - performance.now()))
    const stamp = await stampNow()
    const found = await Promise.all(files.map((path) => readPart(path, before?.parts)))
    const parts = new Map(found.filter((each) => each !== null))
    const seen = new Map([...parts.values()].flatMap(({ requests }) => requests).map((request) => [request.n, request]))
    const requests = [...seen.values()].sort((a, b) => a.n - b.n)
    read.set(launchId, { stamp, at: performance.now(), parts, requests })
    return requests
  }
}

function readPart(path: string, known: ReadonlyMap<string, ReadPart> | undefined): Promise<[string, ReadPart] | null> {
  return readPlainFile(path, async (file, { ino, birthtimeMs, size }) => {
    const key = `${ino} ${birthtimeMs}`
    const part = known?.get(key)
    const before = part && part.bytes <= size ? part : { bytes: 0, requests: [] }
    const text = await readStretch(file, before.bytes, Math.min(size, maxLogBytes))
    // What is not a whole line yet is read again with its end.
    const lines = text.slice(0, text.lastIndexOf('\n') + 1)
    return [key, { bytes: before.bytes + Buffer.byteLength(lines), requests: [...before.requests, ...readRequests(lines)] }]
  })
}

/** A folder may lie where no watch sees its changes. */
const lookEveryMs = 1_000

/** Waits until something is written into the logs, or a while has passed, or the signal says stop. */
export function nextWriting({ logFolder }: ProxyPlace, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watchFolder(logFolder, () => end())
    const timer = setTimeout(() => end(), lookEveryMs)
    const end = () => {
      clearTimeout(timer)
      watcher?.close()
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}

function watchFolder(folder: string, onChange: () => void): FSWatcher | null {
  try {
    return watch(folder, onChange).on('error', () => {})
  } catch {
    return null
  }
}

const keptMs = 30 * 24 * 3_600_000
const maxLogs = 100

/** Removes the logs of long ago. */
export async function tidyLogs(place: ProxyPlace): Promise<void> {
  const names = await readdir(place.logFolder).catch(() => [])
  const dated = await Promise.all(names.map(async (name) => ({ name, at: await stat(join(place.logFolder, name)).then(({ mtimeMs }) => mtimeMs, () => 0) })))
  const old = dated.sort((a, b) => b.at - a.at).filter(({ at }, index) => index >= maxLogs || Date.now() - at > keptMs)
  await Promise.all(old.map(({ name }) => rm(join(place.logFolder, name), { recursive: true, force: true })))
  const kept = new Set(dated.filter((one) => !old.includes(one)).map(({ name }) => name.split('.')[0]!))
  for (const history of await readHistory(place)) {
    const at = await stat(historyFileOf(place, history.launchId)).then(({ mtimeMs }) => mtimeMs, () => 0)
    if (!kept.has(history.launchId) && Date.now() - at > keptMs) await rm(historyFileOf(place, history.launchId), { force: true })
  }
}
