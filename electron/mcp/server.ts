import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import packageJson from '../../package.json' with { type: 'json' }
import type { JournalClient, McpJournal } from '../core/mcp/journal-writer.ts'
import { type ErrorReport, toErrorReport } from '../../shared/errors/paddock-error.ts'
import type { Workspace } from '../core/workspace/workspace.ts'
import { callContext, createTools, type ToolContext } from './tools.ts'
import { type Offer, toolSchemas, toolsFor } from './tool-schemas.ts'

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

const instructions =
  'These tools work in a sandbox: a project folder inside a hardened container or microVM, as an ordinary user. Paths are relative to that folder. Start with workspace_status, which also tells the limits. If its profile has a desktop, desktop_screenshot shows it, and the other desktop tools work it.'

/** A server for one client. @param journal notes who the client is and what it calls */
export function createServer(workspace: Workspace, offer: Offer, journal: McpJournal): McpServer {
  const server = new McpServer({ name: 'paddock', title: 'Paddock', version: packageJson.version }, { instructions, capabilities: { tools: {} } })
  const tools = createTools(workspace, offer.isReadOnly)
  let client: JournalClient | undefined
  const noted = () => (client ??= journal.connected(server.server.getClientVersion() ?? { name: '', version: '' }))
  server.server.oninitialized = () => void noted()
  server.server.onclose = () => client?.left()
  for (const name of toolsFor(offer)) {
    const { title, description, input, output, annotations } = toolSchemas[name]
    server.registerTool(name, { title, description, inputSchema: input, outputSchema: output, annotations: { title, ...annotations } }, async (args: unknown, extra: Extra) => {
      const attached: Attached = []
      const context: ToolContext = { signal: extra.signal, tell: teller(extra), attach: (content) => attached.push(content) }
      const ended = noted().called(name, args)
      try {
        // What a launch has to say reaches the client; the tools themselves then find the sandbox there.
        journal.entered(await workspace.ready(callContext(context)))
        const run = tools[name] as (input: unknown, context: ToolContext) => Promise<Record<string, unknown>>
        const result = answer(await run(args, context), attached)
        ended('done')
        return result
      } catch (error) {
        const report = toErrorReport(error)
        ended(report.code === 'cancelled' ? 'cancelled' : 'failed')
        return failure(report)
      }
    })
  }
  return server
}

type Attached = Parameters<NonNullable<ToolContext['attach']>>[0][]

/** Text too, for clients that know no structured content. */
function answer(value: Record<string, unknown>, attached: Attached): CallToolResult {
  return { content: [...attached, { type: 'text', text: JSON.stringify(value) }], structuredContent: value }
}

/** What happened and what to do: that is what an agent can use. */
function failure({ code, message, hint, stderrTail }: ErrorReport): CallToolResult {
  const tail = code === 'build-failed' && stderrTail ? `\n${stderrTail}` : ''
  return { content: [{ type: 'text', text: `${message}${hint ? ` ${hint}` : ''} (${code})${tail}` }], isError: true }
}

/** Sends progress to a client that asked for it. */
function teller({ _meta, sendNotification }: Extra): (text: string) => void {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return () => {}
  let progress = 0
  return (message) => void sendNotification({ method: 'notifications/progress', params: { progressToken, progress: ++progress, message } }).catch(() => {})
}
