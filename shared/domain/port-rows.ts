import type { ListeningPort } from './listening-ports.ts'
import type { Sandbox } from './sandbox.ts'

/** A port of this machine's loopback that leads to one of a sandbox. */
export interface PortForward {
  port: number
  localPort: number
}

/** A port of a sandbox as the window shows it. */
export interface PortRow {
  port: number
  /** Where it listens, each address once; none when nothing does any more. */
  addresses: string[]
  /** What listens, as people would call it; null when that is not known. */
  process: string | null
  /** The address on this machine that leads there; null when none does. */
  local: string | null
  /** How it does: the window forwards it, or the profile publishes it. */
  by: 'forward' | 'label' | null
  /** Only the guest's loopback can be forwarded to. */
  canForward: boolean
  /** Whether a browser may have a use for it. */
  isWeb: boolean
}

/** Well-known ports of services that speak no HTTP. Source: IANA's registry, and the services' own defaults. */
const notWeb = new Set([21, 22, 23, 25, 53, 110, 143, 389, 465, 587, 993, 995, 1433, 1521, 1883, 2181, 3306, 5432, 5671, 5672, 6379, 6380, 9042, 9092, 9229, 11211, 27017, 27018, 33060])

/** Ports of a sandbox, what listens and what leads there, by number. Pure. */
export function portRows(listening: readonly ListeningPort[], forwards: readonly PortForward[], published: Sandbox['ports']): PortRow[] {
  const tcp = published.filter(({ protocol }) => protocol === 'tcp')
  const numbers = new Set([...listening.map(({ port }) => port), ...forwards.map(({ port }) => port)])
  return [...numbers].sort((a, b) => a - b).map((port) => {
    const found = listening.filter((one) => one.port === port)
    const addresses = [...new Set(found.map(({ address }) => address))]
    const command = found.find(({ process }) => process !== null && process.command !== '')?.process?.command
    const forward = forwards.find((one) => one.port === port)
    const label = tcp.find(({ sandboxPort }) => sandboxPort === port)
    const local = forward ? `127.0.0.1:${forward.localPort}` : label ? `${isAnywhere(label.host) ? '127.0.0.1' : inAddress(label.host)}:${label.hostPort}` : null
    return {
      port,
      addresses,
      process: command === undefined ? null : commandInWords(command),
      local,
      by: forward ? 'forward' : label ? 'label' : null,
      canForward: addresses.some(isOnLoopback),
      isWeb: !notWeb.has(port),
    }
  })
}

/** Source: RFC 3986, 3.2.2. */
const inAddress = (host: string) => (host.includes(':') ? `[${host}]` : host)
const isAnywhere = (host: string) => host === '' || host === '0.0.0.0' || host === '::'
const isOnLoopback = (address: string) => isAnywhere(address) || address === '::1' || /^127\./.test(address)

const mostCharacters = 80

/** A command as people would call it: its program without the folders before, and no more than fits a line. Pure. */
export function commandInWords(command: string): string {
  const [program = '', ...rest] = command.split(' ')
  const text = [program.split('/').at(-1), ...rest].join(' ')
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text
}
