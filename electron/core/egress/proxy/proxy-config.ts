import { formatPrefix, type IpPrefix } from '../../../../shared/domain/ip-prefix.ts'
import type { Upstream } from './upstream.ts'

/** What a start of the proxy decides. */
export interface ProxySettings {
  ports: readonly number[]
  /** What no name may lead to, as the rules of `open` have it. */
  closed: readonly string[]
  upstream: Upstream | null
}

const certificate = '/etc/paddock/unused.pem'

/** The part of Squid's configuration that differs from start to start. Pure. */
export function proxyConfig({ ports, closed, upstream }: ProxySettings): string {
  return [
    ...ports.map((port) => `http_port ${port} ssl-bump tls-cert=${certificate} generate-host-certificates=off`),
    ...closed.map((block) => `acl closed dst ${block}`),
    // Of a request whose name leads somewhere; where names are not looked up here, of every one.
    `acl resolved ${upstream === null ? 'dst' : 'src'} all`,
    ...upstreamLines(upstream),
    '',
  ].join('\n')
}

function upstreamLines(upstream: Upstream | null): string[] {
  if (upstream === null) return []
  const { address, port, isTls, login, direct, host } = upstream
  const options = [...(login === null ? [] : [`login=${login}`]), ...(isTls ? [`tls`, `tls-domain=${host}`, 'tls-cafile=/run/paddock/proxy/ca.crt'] : [])]
  return [
    `cache_peer ${plainAddress(address)} parent ${port} 0 no-query no-digest no-netdb-exchange default name=upstream ${options.join(' ')}`.trimEnd(),
    ...direct.map((domain) => `acl direct dstdomain .${domain}`),
    ...(direct.length > 0 ? ['always_direct allow direct', 'never_direct deny direct'] : []),
    'never_direct allow all',
  ]
}

const plainAddress = (address: IpPrefix) => (address.family === 6 ? `[${formatPrefix(address)}]` : formatPrefix(address))
