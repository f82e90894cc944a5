import { channelPort } from './guest.ts'

/** A row of `/proc/net/tcp` in the state ESTABLISHED, by its local port. Source: proc_net_tcp.rst of the kernel. */
const established = /^\s*\d+: [0-9A-F]{8}:([0-9A-F]{4}) [0-9A-F]{8}:[0-9A-F]{4} 01 /

/** How many are connected to a sandbox's guest channel, from the text of its `/proc/net/tcp`; hostile text. Pure. */
export function countChannelConnections(text: string): number {
  return text.split('\n').filter((line) => Number.parseInt(established.exec(line)?.[1] ?? '', 16) === channelPort).length
}
