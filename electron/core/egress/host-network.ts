import { readFileSync, readlinkSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { type IpPrefix, parsePrefix } from '../../../shared/domain/ip-prefix.ts'

/** What of the host's network a sandbox must not reach, and where it must not be. */
export interface HostNetwork {
  /** Addresses of all interfaces, and of the gateways. */
  addresses: IpPrefix[]
  /** The network namespace, as `/proc/self/ns/net` names it. */
  netns: string
}

/** Reads it as it is now. */
export function readHostNetwork(): HostNetwork {
  const netns = readlinkSync('/proc/self/ns/net')
  // Those of the loopback too: an address that a machine answers to may lie there.
  const own = Object.values(networkInterfaces()).flatMap((addresses) => (addresses ?? []).map(({ address }) => address.split('%')[0]!))
  const known = [...own, ...gateways4(readTable('/proc/net/route')), ...gateways6(readTable('/proc/net/ipv6_route'))].map(parsePrefix)
  return { addresses: known.filter((address) => address !== null), netns }
}

function readTable(path: string): string[][] {
  try {
    return readFileSync(path, 'utf8').split('\n').map((line) => line.trim().split(/\s+/))
  } catch {
    // A kernel without IPv6 has no such table.
    return []
  }
}

/** Gateways of /proc/net/route, whose third column is an address in the machine's byte order. */
export function gateways4(table: readonly string[][]): string[] {
  const hex = table.flatMap(([, , gateway]) => (gateway && /^[0-9A-F]{8}$/.test(gateway) && gateway !== '00000000' ? [gateway] : []))
  // Linux on machines that Node runs on is little endian but for s390x.
  return [...new Set(hex)].map((word) => [...Buffer.from(word, 'hex')].reverse().join('.'))
}

/** Gateways of /proc/net/ipv6_route, whose fifth column is an address. */
export function gateways6(table: readonly string[][]): string[] {
  const hex = table.flatMap(([, , , , gateway]) => (gateway && /^[0-9a-f]{32}$/.test(gateway) && !/^0+$/.test(gateway) ? [gateway] : []))
  return [...new Set(hex)].map((word) => word.match(/.{4}/g)!.join(':'))
}
