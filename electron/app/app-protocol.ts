import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { protocol, session } from 'electron'
import { appScheme } from './app-origin.ts'

/** Nothing from outside, no inline script, no eval. Styles set through the DOM are allowed, style sheets only our own. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

const notFound = () => new Response('Not found', { status: 404 })

/** To be called before the app is ready: makes the scheme as strict as https. */
export function declareAppProtocol(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }])
}

/** Serves the window's files, and only these. @param folder the built renderer */
export function serveApp(folder: string): void {
  session.defaultSession.protocol.handle(appScheme, async (request) => {
    const { host, pathname } = new URL(request.url)
    try {
      const path = normalize(join(folder, pathname === '/' ? 'index.html' : decodeURIComponent(pathname)))
      const type = types[extname(path)]
      if (host !== 'app' || !path.startsWith(folder + sep) || type === undefined) return notFound()
      const headers = { 'content-type': type, 'content-security-policy': contentPolicy, 'x-content-type-options': 'nosniff' }
      return new Response(new Uint8Array(await readFile(path)), { headers })
    } catch {
      return notFound()
    }
  })
}
