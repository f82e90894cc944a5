import { holds, type IpPrefix, parsePrefix } from './ip-prefix.ts'
import { isSwitchedOn, type RunOption, valuesOf } from './run-flags.ts'

/** A place that a profile opens by name: TCP and UDP to a port of an address. */
export interface EgressPlace {
  to: IpPrefix
  port: number
}

const known = (texts: readonly string[]) => texts.map((text) => parsePrefix(text)!)

/** Where clouds answer for a machine's secrets; names that lead there lead to these. */
export const metadataAddresses = known(['169.254.169.254', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254'])

/** Names under which clouds' own resolvers know those addresses. */
export const metadataNames = ['metadata.google.internal', 'metadata.goog', 'instance-data.ec2.internal', 'metadata.azure.internal', 'metadata.tencentyun.com'] as const

/** Private networks, of which a block may be opened; elsewhere one address at a time. */
const localNetworks = known(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'])

/** No place of another machine: opening one would open nothing, or everything. */
const nowhere = known(['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3', '::/96', '::ffff:0:0/96', 'ff00::/8'])

/**
 * Reads `ADDRESS:PORT`, `[ADDRESS]:PORT` for IPv6, with a length behind the address for a block of a local network.
 * @returns the place, or why it is none: the end of a sentence
 */
export function parsePlace(text: string): EgressPlace | string {
  const [, bracketed, plain, written] = /^(?:\[([^\]]*)\]|([^[\]:]*)):(\d{1,5})$/.exec(text) ?? []
  const to = parsePrefix(bracketed ?? plain ?? '')
  if (to === null || (to.family === 6) !== (bracketed !== undefined)) return 'write ADDRESS:PORT, with brackets around IPv6, as in 192.168.1.20:5432'
  const port = Number(written)
  if (port < 1 || port > 65_535) return 'a port is a number from 1 to 65535'
  if (nowhere.some((block) => holds(block, to) || holds(to, block))) return 'that is no address of another machine'
  const isOne = to.length === (to.family === 4 ? 32 : 128)
  if (!isOne && !localNetworks.some((block) => holds(block, to))) return 'a block of addresses must lie in a private network'
  return { to, port }
}

/** Whether a place leads to a cloud's metadata, with the secrets of this machine. Pure. */
export const isMetadata = ({ to }: EgressPlace) => metadataAddresses.some((address) => holds(to, address))

/** Whether a place lies in a private network. Pure. */
export const isLocal = ({ to }: EgressPlace) => localNetworks.some((block) => holds(block, to))

/** Ports of a sandbox that a label opens on this machine, as nftables takes them; null for all. */
export interface PublishedPorts {
  tcp: string[] | null
  udp: string[] | null
}

/** Reads `--publish`, of which only the sandbox’s side counts here. Source: podman-run(1). */
export function publishedPorts(options: readonly RunOption[]): PublishedPorts {
  if (isSwitchedOn(options, '--publish-all')) return { tcp: null, udp: null }
  const ports = valuesOf(options, '--publish').flatMap((value) => {
    const [, port, protocol] = /(?:^|:)(\d{1,5}(?:-\d{1,5})?)(?:\/(tcp|udp))?$/.exec(value) ?? []
    return port === undefined ? [] : [{ port, protocol: protocol ?? 'tcp' }]
  })
  const of = (wanted: string) => [...new Set(ports.filter(({ protocol }) => protocol === wanted).map(({ port }) => port))]
  return { tcp: of('tcp'), udp: of('udp') }
}
