import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { PaddockError } from '../../shared/errors/paddock-error.ts'
import type { McpJournal } from '../core/mcp/journal-writer.ts'
import type { Workspace } from '../core/workspace/workspace.ts'
import { refuseRequest } from './http-guard.ts'
import { createServer } from './server.ts'
import type { Offer } from './tool-schemas.ts'

/** How the server is reached, and by whom. */
export interface HttpOptions {
  offer: Offer
  journal: McpJournal
  /** 0 takes a free one. */
  port: number
  token: string
  allowedHosts: readonly string[]
}

/** A server that listens on this machine's loopback. */
export interface HttpServer {
  port: number
  close(): Promise<void>
}

/** Where MCP is served. */
export const mcpPath = '/mcp'

const maxSessions = 32
const idleMs = 60 * 60_000
const lookEveryMs = 60_000
/** A file's content in base64 and what surrounds it. */
const maxBody = 4 * 1024 * 1024
const headersMs = 10_000
/** For a request to come in whole; its answer may take as long as it likes. */
const requestMs = 60_000
const maxConnections = 256

interface ClientSession {
  transport: StreamableHTTPServerTransport
  usedAt: number
  /** Requests whose answers are still being sent; a stream that waits for notifications is one too. */
  open: number
}

/** Serves MCP over streamable HTTP. @throws {PaddockError} `usage` for a port that cannot be had */
export async function serveHttp(workspace: Workspace, options: HttpOptions): Promise<HttpServer> {
  const sessions = new Map<string, ClientSession>()
  let port = options.port

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { host, origin, authorization } = request.headers
    const refusal = refuseRequest({ host, origin, authorization }, { ...options, port })
    if (refusal) return refuse(response, refusal.status, refusal.message)
    // The token's way ends here.
    delete request.headers.authorization
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== mcpPath) return refuse(response, 404, `MCP is served at ${mcpPath}.`)
    const id = request.headers['mcp-session-id']
    const session = typeof id === 'string' ? sessions.get(id) : await begin(request, response)
    if (session === null) return
    if (session === undefined) return refuse(response, 404, 'There is no such session; initialize a new one.')
    session.usedAt = Date.now()
    session.open++
    response.once('close', () => {
      session.open--
      session.usedAt = Date.now()
    })
    await session.transport.handleRequest(request, response)
  }

  /** A client that has no session yet; the transport refuses what is no initialize. @returns null when it was answered */
  const begin = async (request: IncomingMessage, response: ServerResponse): Promise<ClientSession | null> => {
    if (request.method !== 'POST') {
      refuse(response, 400, 'A session begins with initialize.')
      return null
    }
    if (sessions.size >= maxSessions) {
      refuse(response, 503, 'There are too many sessions.')
      return null
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxBody,
      onsessioninitialized: (id) => void sessions.set(id, session),
    })
    const session: ClientSession = { transport, usedAt: Date.now(), open: 0 }
    transport.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId)
    }
    await createServer(workspace, options.offer, options.journal).connect(transport as never)
    return session
  }

  const http = createHttpServer({ headersTimeout: headersMs, requestTimeout: requestMs, maxHeaderSize: 16_384 }, (request, response) => {
    answer(request, response).catch(() => (response.headersSent ? response.destroy() : refuse(response, 500, 'Unexpected failure.')))
  })
  http.maxConnections = maxConnections
  const watch = setInterval(() => {
    for (const { transport, usedAt, open } of sessions.values()) if (open === 0 && Date.now() - usedAt > idleMs) void transport.close()
  }, lookEveryMs)
  watch.unref()
  await new Promise<void>((resolve, reject) => http.once('error', (error: NodeJS.ErrnoException) => reject(noPort(port, error))).listen(port, '127.0.0.1', resolve))
  port = (http.address() as AddressInfo).port
  return {
    port,
    async close() {
      clearInterval(watch)
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()))
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

/** As JSON-RPC has an error that belongs to no request. */
function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...(status === 401 && { 'www-authenticate': 'Bearer realm="paddock"' }) })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }))
}

function noPort(port: number, error: NodeJS.ErrnoException): PaddockError {
  const why = error.code === 'EADDRINUSE' ? 'something listens there already' : (error.code ?? error.message)
  return new PaddockError({ code: 'usage', message: `Port ${port} cannot be had: ${why}.`, hint: 'Choose another with --port N; 0 takes a free one.' })
}
