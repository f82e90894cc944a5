import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ZodError } from 'zod'
import type { McpJournal } from '../core/mcp/journal-writer.ts'
import type { Workspace } from '../core/workspace/workspace.ts'
import { createServer } from './server.ts'
import type { Offer } from './tool-schemas.ts'

/** "Parse error" and "Invalid Request". Source: JSON-RPC 2.0, section 5.1. */
const [notJson, noRequest] = [-32700, -32600]
/** A file's content in base64, twice, and all that surrounds it. */
const maxMessage = 8 * 1024 * 1024

/** Serves one client on stdin and stdout until its input ends or `signal` says so. */
export async function serveStdio(workspace: Workspace, options: { offer: Offer; journal: McpJournal; signal: AbortSignal; input: Readable; output: Writable }): Promise<void> {
  const { offer, journal, signal, input, output } = options
  const server = createServer(workspace, offer, journal)
  const answer = (code: number, message: string) => output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`)
  const misread = (error: Error) => {
    if (error instanceof SyntaxError) return answer(notJson, 'What was sent is not JSON.')
    if (error instanceof ZodError) return answer(noRequest, 'What was sent is no message of JSON-RPC.')
    if (!/buffer/i.test(error.message)) return
    // A client that sends more is cut off, for what follows is the rest of that message: it hears why, and so does its person.
    const message = `A message of more than ${maxMessage / 1024 ** 2} MiB was sent. The connection was ended.`
    answer(noRequest, message)
    process.stderr.write(`paddock: ${message}\n`)
  }
  const closed = new Promise<void>((resolve) => {
    const left = server.server.onclose
    server.server.onclose = () => {
      left?.()
      resolve()
    }
    input.once('end', resolve)
    input.once('close', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  server.server.onerror = misread
  await server.connect(new StdioServerTransport(input, output, { maxBufferSize: maxMessage }))
  await closed
  // What is still being worked on is cancelled with it.
  await server.close()
}
