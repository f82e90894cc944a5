import { lookup } from 'node:dns/promises'
import { type IpPrefix, parsePrefix } from '../../../../shared/domain/ip-prefix.ts'
import { PaddockError } from '../../../../shared/errors/paddock-error.ts'

/** The company's proxy, through which all of this machine's traffic has to go. */
export interface Upstream {
  address: IpPrefix
  host: string
  port: number
  isTls: boolean
  /** `NAME:PASSWORD`, as the address has them; null without. */
  login: string | null
  /** Domains that are reached without it. */
  direct: string[]
}

/**
 * Reads `https_proxy` and its like as curl does, and looks its name up: the proxy's network knows no names of the company's.
 * @returns null when there is none
 * @throws {PaddockError} `egress-unavailable` for one that cannot be used
 */
export async function findUpstream(environment: NodeJS.ProcessEnv): Promise<Upstream | null> {
  const written = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'all_proxy', 'ALL_PROXY'].map((name) => environment[name]).find(Boolean)
  if (written === undefined) return null
  const url = parse(written)
  const isTls = url?.protocol === 'https:'
  if (url === null || (!isTls && url.protocol !== 'http:')) throw unusable('it is no http or https address')
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const { address } = await lookup(name).catch(() => {
    throw unusable(`${name} has no address`)
  })
  const login = url.username === '' ? null : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  // What is written into Squid's configuration may end no line and no word of it.
  if (/[\s"'\\%]/.test(login ?? '')) throw unusable('its password holds a character that Squid does not take')
  const direct = (environment.no_proxy ?? environment.NO_PROXY ?? '').split(',').map((one) => one.trim().replace(/^\*?\./, ''))
  return { address: parsePrefix(address)!, host: name, port: Number(url.port) || (isTls ? 443 : 80), isTls, login, direct: direct.filter((domain) => /^[a-z0-9.-]+$/i.test(domain) && parsePrefix(domain) === null) }
}

function parse(text: string): URL | null {
  try {
    return new URL(text.includes('://') ? text : `http://${text}`)
  } catch {
    return null
  }
}

function unusable(why: string): PaddockError {
  return new PaddockError({ code: 'egress-unavailable', message: `The proxy that this machine’s environment names cannot be used: ${why}.`, hint: 'Set https_proxy to an address such as http://proxy.example.org:3128, or launch with --egress open.' })
}
