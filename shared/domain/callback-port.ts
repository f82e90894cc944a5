/**
 * The port at which a program that asks for a login waits for the browser to come back, by the address that it prints: the
 * `redirect_uri` of OAuth on this machine's loopback (RFC 8252, section 7.3). Null when the address names none. Pure.
 */
export function callbackPort(address: string): number | null {
  return URL.canParse(address) ? loopbackPort(new URL(address).searchParams.get('redirect_uri') ?? '') : null
}

/** The port of an address on the loopback, without TLS; null for any other. Pure. */
export function loopbackPort(address: string): number | null {
  if (!URL.canParse(address)) return null
  const { protocol, hostname, port } = new URL(address)
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === 'http:' && isLoopback && port !== '0' ? Number(port || 80) : null
}
