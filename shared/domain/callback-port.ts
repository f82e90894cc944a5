/**
 * The port at which a program that asks for a login waits for the browser to come back, by the address that it prints: the
 * `redirect_uri` of OAuth on this machine's loopback (RFC 8252, section 7.3). Null when the address names none. Pure.
 */
export function callbackPort(address: string): number | null {
  try {
    const target = new URL(new URL(address).searchParams.get('redirect_uri') ?? '')
    const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(target.hostname)
    const port = Number(target.port)
    return target.protocol === 'http:' && isLoopback && port > 0 ? port : null
  } catch {
    return null
  }
}
