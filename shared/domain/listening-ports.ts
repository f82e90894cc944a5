import * as z from 'zod/mini'
import { channelPort } from './guest.ts'

/** A TCP port on which something in a sandbox listens. */
export const listeningPortSchema = z.object({
  port: z.number(),
  /** As the listener gave it: `127.0.0.1`, `0.0.0.0`, `::1`, `::` … */
  address: z.string(),
  /** What listens, as it was called; hostile text. null when the sandbox does not tell. */
  process: z.nullable(z.object({ pid: z.number(), command: z.string() })),
})
export type ListeningPort = z.infer<typeof listeningPortSchema>

/** A row of `/proc/net/tcp` or `tcp6` in the state LISTEN, with the socket's inode. Source: proc_net_tcp.rst of the kernel. */
const listening = /^\s*\d+: ([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4}) [0-9A-F]+:0000 0A (?:\S+ +\S+ +\S+ +\d+ +\d+ +(\d+))?/
/** What Paddock's program in the guest adds for a socket; see ports.pl. */
const owner = /^owner (\d{1,20}) (\d{1,10}) (.{0,600})$/
/** More than anybody would look at; the text is hostile. */
const maxPorts = 1_000

/**
 * What listens, from the text of `/proc/net/tcp` and `tcp6` and the lines about who owns a socket, if there are any;
 * Paddock's own sshd is left out. Pure.
 * @returns by port, each address once
 */
export function parseListeningPorts(text: string): ListeningPort[] {
  const found = new Map<string, ListeningPort>()
  const lines = text.split('\n')
  const owners = new Map(lines.flatMap((line) => {
    const [, inode, pid, command] = owner.exec(line) ?? []
    return inode === undefined ? [] : [[inode, { pid: Number(pid), command: command!.trim() }] as const]
  }))
  for (const line of lines) {
    const [, hexAddress, hexPort, inode] = listening.exec(line) ?? []
    if (hexAddress === undefined || hexPort === undefined || found.size >= maxPorts) continue
    const port = Number.parseInt(hexPort, 16)
    const address = hexAddress.length === 8 ? ipv4(hexAddress) : ipv6(hexAddress)
    if (port !== channelPort || address !== '127.0.0.1') found.set(`${port} ${address}`, { port, address, process: owners.get(inode ?? '') ?? null })
  }
  return [...found.values()].sort((a, b) => a.port - b.port || (a.address < b.address ? -1 : 1))
}

const bytesOf = (hex: string) => hex.match(/../g)!.map((pair) => Number.parseInt(pair, 16))

/** The kernel prints words of 32 bits as the machine has them: little end first on all that Paddock runs on. */
function ipv4(hex: string): string {
  return bytesOf(hex).reverse().join('.')
}

function ipv6(hex: string): string {
  const bytes = hex.match(/.{8}/g)!.flatMap((word) => bytesOf(word).reverse())
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff
  if (isMapped) return bytes.slice(12).join('.')
  const groups = Array.from({ length: 8 }, (_, at) => ((bytes[at * 2]! << 8) | bytes[at * 2 + 1]!).toString(16))
  return shorten(groups)
}

/** The longest run of zero groups becomes `::`. Source: RFC 5952. */
function shorten(groups: readonly string[]): string {
  const runs = [...groups.map((group) => (group === '0' ? '0' : '.')).join('').matchAll(/0{2,}/g)].sort((a, b) => b[0].length - a[0].length)
  const [longest] = runs
  if (!longest) return groups.join(':')
  return `${groups.slice(0, longest.index).join(':')}::${groups.slice(longest.index + longest[0].length).join(':')}`
}
