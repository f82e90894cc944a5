import { randomUUID } from 'node:crypto'
import { closeSync, constants, lstatSync, mkdirSync, openSync, readdirSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { maxJournalCalls } from '../../../shared/domain/mcp-activity.ts'
import { firstWordsOf, type JournalLine, journalLineSchema } from '../../../shared/domain/mcp-journal.ts'
import { startTicksOf } from '../process/start-ticks.ts'

/** What a server notes of who is connected and what they call. Nothing of it fails: a journal that cannot be written is none. */
export interface McpJournal {
  /** A client has said who it is. */
  connected(client: { name: string; version: string }): JournalClient
  /** The sandbox that was found or launched. */
  entered(sandbox: string): void
  close(): void
}

export interface JournalClient {
  /** @param args as the client gave them; of these the path, or the first words of the command, are noted @returns tells how the call ended */
  called(tool: string, args: unknown): (outcome: 'done' | 'failed' | 'cancelled') => void
  left(): void
}

type ServerLine = Extract<JournalLine, { kind: 'server' }>

/** A journal's name; whatever else lies in the folder is not Paddock's. */
export const journalName = /^[0-9a-f-]{36}\.jsonl$/
/** Where the last calls alone are kept, in a file of their own. */
const maxBytes = 256 * 1024
const maxPath = 200
const maxName = 100
/** A journal's first line with the longest path that there is, PATH_MAX, each byte of it escaped. */
const maxFirstLine = 32 * 1024
/** Journals of servers that are gone, for who wants to know what they did. */
const maxJournals = 30
const keptMs = 7 * 24 * 3_600_000

/** Begins a journal (0600) in a folder (0700), and tidies up old ones. */
export function openJournal(folder: string, server: Pick<ServerLine, 'transport' | 'isReadOnly' | 'project' | 'sandbox'>): McpJournal {
  const file = join(folder, `${randomUUID()}.jsonl`)
  const first: ServerLine = { kind: 'server', pid: process.pid, startTicks: startTicksOf(process.pid) ?? '', at: now(), ...server }
  const live = new Map<number, JournalLine>()
  let sandbox: JournalLine | null = null
  let calls: { begin: Extract<JournalLine, { kind: 'call' }>; end: JournalLine | null }[] = []
  let descriptor: number | null = null
  let bytes = 0
  let count = 0

  const attempt = (work: () => void) => {
    try {
      work()
    } catch {
      // A full disk is no reason to refuse a tool.
    }
  }
  const write = (line: JournalLine) => {
    if (descriptor === null) return
    attempt(() => (bytes += writeSync(descriptor!, `${JSON.stringify(line)}\n`)))
    if (bytes > maxBytes) attempt(shorten)
  }
  /** Begins the file anew with what still counts; readers find the old one or the new one. */
  const shorten = () => {
    const kept = [first, ...(sandbox ? [sandbox] : []), ...live.values(), ...calls.flatMap(({ begin, end }) => (end ? [begin, end] : [begin]))]
    const text = Buffer.from(kept.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const next = `${file}.next`
    const opened = openSync(next, 'w', 0o600)
    try {
      if (writeSync(opened, text) < text.length) throw new Error('The disk is full.')
      renameSync(next, file)
    } catch (error) {
      closeSync(opened)
      rmSync(next, { force: true })
      throw error
    }
    closeSync(descriptor!)
    descriptor = opened
    bytes = text.length
  }
  attempt(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    descriptor = openSync(file, 'wx', 0o600)
  })
  write(first)
  attempt(() => tidy(folder))

  return {
    connected({ name, version }) {
      const client = ++count
      const line: JournalLine = { kind: 'client', client, name: name.slice(0, maxName), version: version.slice(0, maxName), at: now() }
      live.set(client, line)
      write(line)
      return {
        called(tool, args) {
          const began = performance.now()
          const call: (typeof calls)[number] = { begin: { kind: 'call', call: ++count, client, at: now(), tool, what: whatOf(args) }, end: null }
          calls = [...calls, call].slice(-maxJournalCalls)
          write(call.begin)
          return (outcome) => {
            call.end = { kind: 'end', call: call.begin.call, outcome, ms: Math.round(performance.now() - began) }
            write(call.end)
          }
        },
        left() {
          if (live.delete(client)) write({ kind: 'left', client })
        },
      }
    },
    entered(id) {
      if (sandbox?.kind === 'sandbox' && sandbox.sandbox === id) return
      sandbox = { kind: 'sandbox', sandbox: id }
      write(sandbox)
    },
    close() {
      if (descriptor !== null) attempt(() => closeSync(descriptor!))
      descriptor = null
    },
  }
}

const now = () => new Date().toISOString()

/** Neither contents nor whole commands: what is in them may be a secret. */
function whatOf(args: unknown): string {
  const { path, command } = (args ?? {}) as { path?: unknown; command?: unknown }
  if (typeof path === 'string') return path.slice(0, maxPath)
  return typeof command === 'string' ? firstWordsOf(command) : ''
}

/** Removes old journals of servers that are gone, and what a server that was killed had begun anew. */
function tidy(folder: string): void {
  const paths = readdirSync(folder).filter((name) => journalName.test(name.replace(/\.next$/, ''))).map((name) => join(folder, name))
  // Another server, which starts now too, may have removed one.
  const found = paths.map((path) => ({ path, at: lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
  const old = found.sort((a, b) => b.at - a.at).filter(({ at }, index) => index >= maxJournals || Date.now() - at > keptMs)
  for (const { path } of old) if (!isInUse(path)) rmSync(path, { force: true })
}

/** Whether the server that keeps a journal still runs. */
function isInUse(path: string): boolean {
  let opened: number | null = null
  try {
    opened = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const head = Buffer.alloc(maxFirstLine)
    const [first = ''] = head.toString('utf8', 0, readSync(opened, head)).split('\n')
    const line = journalLineSchema.parse(JSON.parse(first))
    return line.kind === 'server' && startTicksOf(line.pid) === line.startTicks
  } catch {
    return false
  } finally {
    if (opened !== null) closeSync(opened)
  }
}
