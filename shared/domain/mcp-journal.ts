import * as z from 'zod/mini'
import { maxJournalCalls, type McpCall, type McpClient, type McpServerRecord, mcpTransportSchema } from './mcp-activity.ts'

const text = z.string().check(z.maxLength(400))
const at = z.string().check(z.maxLength(40))

/**
 * A line of the journal that each `paddock mcp` keeps of who is connected and what they call. It holds neither what files
 * contain nor what commands print; words that come from a client are cut.
 */
export const journalLineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('server'),
    pid: z.number(),
    /** Clock ticks between the machine's start and the process's: with the pid it names one process. Source: proc_pid_stat(5). */
    startTicks: z.string(),
    at,
    transport: mcpTransportSchema,
    isReadOnly: z.boolean(),
    /** What it serves: the project that it was started for, or one sandbox. */
    project: z.nullable(z.string()),
    sandbox: z.nullable(z.string()),
  }),
  z.object({ kind: z.literal('client'), client: z.number(), name: text, version: text, at }),
  z.object({ kind: z.literal('left'), client: z.number() }),
  /** The sandbox that it found or launched. */
  z.object({ kind: z.literal('sandbox'), sandbox: z.string() }),
  z.object({ kind: z.literal('call'), call: z.number(), client: z.number(), at, tool: text, what: text }),
  z.object({ kind: z.literal('end'), call: z.number(), outcome: z.enum(['done', 'failed', 'cancelled']), ms: z.number() }),
])
export type JournalLine = z.infer<typeof journalLineSchema>

/** Reads a journal; lines that make no sense are skipped. Pure. @param id names the journal @param isAlive whether its server runs: nobody is connected to one that does not */
export function readJournal(id: string, journal: string, isAlive: (server: Extract<JournalLine, { kind: 'server' }>) => boolean): McpServerRecord | null {
  const lines = journal.split('\n').flatMap(parseLine)
  const server = lines.find((line) => line.kind === 'server')
  if (server === undefined) return null
  const alive = isAlive(server)
  const names = new Map<number, string>()
  const clients = new Map<number, McpClient>()
  const calls = new Map<number, McpCall>()
  let sandbox = server.sandbox
  for (const line of lines) {
    if (line.kind === 'sandbox') sandbox = line.sandbox
    else if (line.kind === 'client') {
      names.set(line.client, line.name)
      clients.set(line.client, { key: `${id} ${line.client}`, name: line.name, version: line.version, transport: server.transport, isReadOnly: server.isReadOnly, since: line.at })
    } else if (line.kind === 'left') clients.delete(line.client)
    else if (line.kind === 'call') calls.set(line.call, { key: `${id} ${line.call}`, at: line.at, client: names.get(line.client) ?? '', tool: line.tool, what: line.what, outcome: alive ? 'running' : 'lost', ms: null })
    else if (line.kind === 'end') {
      const call = calls.get(line.call)
      if (call) calls.set(line.call, { ...call, outcome: line.outcome, ms: line.ms })
    }
  }
  return { project: server.project, sandbox, clients: alive ? [...clients.values()] : [], calls: [...calls.values()].slice(-maxJournalCalls) }
}

function parseLine(line: string): JournalLine[] {
  try {
    const parsed = journalLineSchema.safeParse(JSON.parse(line))
    return parsed.success ? [parsed.data] : []
  } catch {
    return []
  }
}

const mostWords = 3
const mostCharacters = 60
/** Said aloud they may be secrets: only the first word is told of what follows these. */
const speakers = new Set(['echo', 'printf', 'export', 'set', 'read', 'env', 'sudo', 'su', 'passwd', 'mysql', 'psql', 'login', 'curl', 'wget'])

/**
 * The first words of a command, enough to know it by: names and paths up to the first option, quote or anything that a shell
 * would read in a way of its own, since behind those stand the secrets. Pure.
 */
export function firstWordsOf(command: string): string {
  const [line = '', ...others] = command.trim().split('\n')
  const words = line.trim().split(/\s+/)
  const plainWords: string[] = []
  for (const word of words) {
    if (plainWords.length === mostWords || !/^[\w./+][\w.,/+-]*$/.test(word) || (plainWords.length > 0 && speakers.has(plainWords[0]!))) break
    plainWords.push(word)
  }
  const text = plainWords.join(' ')
  const isCut = plainWords.length < words.length || others.length > 0
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : isCut ? `${text} …`.trim() : text
}
