import * as z from 'zod/mini'

/** How a server is reached. */
export const mcpTransportSchema = z.enum(['stdio', 'http'])

/** A client that is connected. All words are the client's own. */
export const mcpClientSchema = z.object({ key: z.string(), name: z.string(), version: z.string(), transport: mcpTransportSchema, isReadOnly: z.boolean(), since: z.string() })
export type McpClient = z.infer<typeof mcpClientSchema>

/** A call of a tool; the words in it are the client's. */
export const mcpCallSchema = z.object({
  key: z.string(),
  at: z.string(),
  client: z.string(),
  tool: z.string(),
  /** The path, or the first words of the command. */
  what: z.string(),
  /** `lost` when the server ended before the call did. */
  outcome: z.enum(['running', 'done', 'failed', 'cancelled', 'lost']),
  ms: z.nullable(z.number()),
})
export type McpCall = z.infer<typeof mcpCallSchema>

/** What one server did, by its journal. */
export interface McpServerRecord {
  project: string | null
  sandbox: string | null
  clients: McpClient[]
  calls: McpCall[]
}

/** So many calls are kept and shown. */
export const maxJournalCalls = 200

/** What a panel shows of all servers: those of a project or of a sandbox, the newest call first. Pure. */
export function mcpActivity(records: readonly McpServerRecord[], of: { project: string | null; sandbox: string | null }): { clients: McpClient[]; calls: McpCall[] } {
  const own = records.filter(({ project, sandbox }) => (of.project !== null && project === of.project) || (of.sandbox !== null && sandbox !== null && of.sandbox === sandbox))
  return {
    clients: own.flatMap(({ clients }) => clients).sort((a, b) => a.since.localeCompare(b.since)),
    calls: own.flatMap(({ calls }) => calls).sort((a, b) => b.at.localeCompare(a.at) || b.key.localeCompare(a.key)).slice(0, maxJournalCalls),
  }
}
