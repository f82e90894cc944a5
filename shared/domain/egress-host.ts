import { metadataNames } from './egress-places.ts'
import { parsePrefix } from './ip-prefix.ts'

/** What an allowlist lets through: a host, or all below one, and of it perhaps one port or path. */
export interface HostRule {
  /** In lower case, without the `*.` of a wildcard. */
  host: string
  /** `*.example.org`: every host below it, at any depth, but not the host itself. */
  isWildcard: boolean
  /** null: 80 for HTTP, 443 for HTTPS. 443 is HTTPS alone, any other number HTTP alone. */
  port: number | null
  /** Of plain HTTP alone, where it can be seen: what lies at or below it. null: all. */
  path: string | null
}

export const httpsPort = 443
const httpPort = 80

const maxName = 253
const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
/** What a URL may hold as it is, without what servers read in different ways: RFC 3986. */
const plainPath = /^\/[A-Za-z0-9._~!$&'()*+;=:@/-]*$/

/**
 * Reads `example.org`, `*.example.org`, each with a port (`:8080`) and, for plain HTTP, a path (`/debian`) behind it.
 * @returns the rule, or why it is none: the end of a sentence
 */
export function parseHostRule(text: string): HostRule | string {
  const [, star, name, colon, digits, path] = /^(\*\.)?([^/:*\s]*)(:(\d*))?(\/\S*)?$/.exec(text) ?? []
  if (/^\w+:\/\//.test(text)) return 'write the host without http:// or https://'
  if (name === undefined || name === '') return 'write HOST, *.HOST, HOST:PORT or HOST/PATH, as in *.example.org'
  const host = name.toLowerCase()
  const isWildcard = star !== undefined
  const why = whyNoHost(host, isWildcard)
  if (why !== null) return why
  const port = digits === undefined ? null : Number(digits)
  if (colon !== undefined && (!/^[1-9]\d{0,4}$/.test(digits!) || port! > 65_535)) return 'a port is a number from 1 to 65535'
  if (path !== undefined && port === httpsPort) return 'a path is seen in plain HTTP only, and port 443 is HTTPS'
  if (path !== undefined && (!plainPath.test(path) || isUnclearPath(path))) return 'the path holds something that servers read in different ways'
  return { host, isWildcard, port, path: path === undefined || path === '/' ? null : path }
}

function whyNoHost(host: string, isWildcard: boolean): string | null {
  if (/[^\x20-\x7e]/.test(host)) return 'write a name with other letters in its ASCII form, which begins with xn--'
  if (parsePrefix(host) !== null || /^(0x[\da-f]*|\d+)(\.(0x[\da-f]*|\d+))*$/.test(host) || host.startsWith('[')) return 'an allowlist names hosts, not addresses'
  const labels = host.split('.')
  if (host.length > maxName || !labels.every((part) => label.test(part))) return 'that is no name of a host'
  if (labels.length < 2) return isWildcard ? 'that would be a whole top-level domain' : 'a host has a domain, as in example.org'
  if (/^\d+$/.test(labels.at(-1)!)) return 'an allowlist names hosts, not addresses'
  return metadataNames.some((name) => name === host) ? 'that name leads to a cloud’s metadata' : null
}

/** Writes a rule as it is read. */
export function formatHostRule({ host, isWildcard, port, path }: HostRule): string {
  return `${isWildcard ? '*.' : ''}${host}${port === null ? '' : `:${port}`}${path ?? ''}`
}

/** What a sandbox asks its proxy for. */
export interface ProxyRequest {
  /** CONNECT: a tunnel, for HTTPS. */
  isTunnel: boolean
  host: string
  port: number
  /** With its query; empty for a tunnel. */
  path: string
}

/** Whether a rule lets a request through. The proxy's own program decides by the same. Pure. */
export function matchesRule(rule: HostRule, { isTunnel, host, port, path }: ProxyRequest): boolean {
  const asked = host.toLowerCase()
  const isHost = rule.isWildcard ? asked.endsWith(`.${rule.host}`) && asked.length > rule.host.length + 1 : asked === rule.host
  if (!isHost) return false
  if (isTunnel) return port === httpsPort && rule.path === null && (rule.port === null || rule.port === httpsPort)
  if (rule.port === httpsPort || port !== (rule.port ?? httpPort)) return false
  return rule.path === null || isBelow(pathOf(path), rule.path)
}

const pathOf = (path: string) => path.split('?', 1)[0]!

/** Whether servers may take a path for another one; some cut off what follows a semicolon before they step up. */
const isUnclearPath = (path: string) => /(^|\/)\.{1,2}([/;]|$)|\/\/|\\|%2e|%2f|%5c|%25/i.test(path)

const isBelow = (path: string, above: string) => !isUnclearPath(path) && (path === above || path.startsWith(above.endsWith('/') ? above : `${above}/`))
