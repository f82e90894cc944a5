import { createHash, timingSafeEqual } from 'node:crypto'

/** What a request is judged by. */
export interface RequestFacts {
  host: string | undefined
  origin: string | undefined
  authorization: string | undefined
}

/** Who may ask. */
export interface GuardOptions {
  port: number
  token: string
  /** Names besides this machine's own under which a tunnel hands requests on, with a port where it is not the scheme's. */
  allowedHosts: readonly string[]
}

/** A refusal, as HTTP has it. */
export interface Refusal {
  status: 401 | 403
  message: string
}

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Judges a request before anything of it is read: the name it was sent to (a page whose name was rebound to this machine
 * sends its own), the page it comes from, and the token. Pure.
 * @returns null for a request that may come in
 */
export function refuseRequest({ host, origin, authorization }: RequestFacts, { port, token, allowedHosts }: GuardOptions): Refusal | null {
  const own = loopbackNames.map((name) => `${name}:${port}`)
  const named = (name: string) => allowedHosts.some((allowed) => allowed.toLowerCase() === name.toLowerCase())
  if (host === undefined || !(own.includes(host.toLowerCase()) || named(host))) return { status: 403, message: 'This host name is not one of this server’s. A tunnel’s is allowed with --allow-host NAME.' }
  if (origin !== undefined) {
    const isOwn = own.some((name) => origin === `http://${name}`)
    const isNamed = allowedHosts.some((name) => origin.toLowerCase() === `https://${name.toLowerCase()}`)
    if (!isOwn && !isNamed) return { status: 403, message: 'Pages of this origin may not use this server.' }
  }
  const given = /^bearer +([^\s]+)\s*$/i.exec(authorization ?? '')?.[1]
  if (given === undefined) return { status: 401, message: 'A token is needed: Authorization: Bearer TOKEN.' }
  if (!isSame(given, token)) return { status: 401, message: 'The token is not the one of this server.' }
  return null
}

/** Takes the same time for every wrong token. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
