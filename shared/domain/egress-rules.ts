import * as z from 'zod/mini'
import type { EgressMode } from './egress.ts'
import { type EgressPlace, metadataAddresses, type PublishedPorts } from './egress-places.ts'
import { embed, formatPrefix, type IpPrefix, outermost, parsePrefix } from './ip-prefix.ts'

/** What a sandbox is held to. */
export interface EgressPolicy {
  mode: EgressMode
  /** Stands in the rules, so that a list of them tells whose they are: the launch's id. */
  mark: string
  /** Addresses of the host and of its gateways, closed whatever they are. */
  host: readonly IpPrefix[]
  /** Where names are asked for, on port 53. */
  resolvers: readonly IpPrefix[]
  places: readonly EgressPlace[]
  published: PublishedPorts
}

/** Rules as nftables keeps them: what is loaded, and what a list of them must show. */
export const egressRulesSchema = z.object({
  mark: z.string(),
  /** Elements by the name of their set. */
  sets: z.record(z.string(), z.object({ type: z.enum(['ipv4_addr', 'ipv6_addr']), elements: z.array(z.string()) })),
  /** Rules by chain. */
  chains: z.record(z.string(), z.array(z.string())),
})
export type EgressRules = z.infer<typeof egressRulesSchema>

const prefixes = (texts: readonly string[]) => texts.map((text) => parsePrefix(text)!)

/** pasta's forward to the host's resolver, in every sandbox's resolv.conf. Source: containers/common, libnetwork/pasta. */
export const pastaResolver = parsePrefix('169.254.1.1')!

/**
 * IPv4 that is no internet: IANA's special-purpose registry (RFC 6890) without its blocks for documentation, which lead
 * nowhere.
 */
const closed4 = prefixes([
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4',
])

const nat64 = parsePrefix('64:ff9b::/96')!
/** The only IPv6 that is internet: global unicast, and IPv4 through NAT64. */
const internet6 = [parsePrefix('2000::/3')!, nat64]
/**
 * What IPv6 has beside the internet, for those who cannot say "all but": loopback, mapped IPv4, RFC 8215's NAT64 of a network's
 * own, discard, local, link-local, multicast, and what nobody has been given. Squid's rules have it; ours say what is let through.
 * Squid 6.13 does not find `::1` in `::/10`.
 */
export const beyondInternet6 = ['::1', '::/10', '64:ff9b:1::/48', '100::/8', '4000::/2', '8000::/1']
/** Of global unicast, what carries IPv4 addresses inside: Teredo and 6to4. */
const closed6 = prefixes(['2001::/32', '2002::/16'])

/** Whole local networks of IPv6 have global addresses, and a host changes its own within one: RFC 8981. */
const localNetwork6 = 64

/** The rules of a policy. Pure. */
export function egressRules({ mode, mark, host, resolvers, places, published }: EgressPolicy): EgressRules {
  const lo = (side: 'iif' | 'oif') => `${side} "lo" accept comment "paddock ${mark}"`
  const replies = 'ct state established,related accept'
  const chains: EgressRules['chains'] = {
    refuse: ['meta l4proto tcp reject with tcp reset', 'reject with icmpx type admin-prohibited'],
    input: [lo('iif'), replies, 'goto refuse'],
    output: [lo('oif'), replies, 'goto refuse'],
  }
  if (mode !== 'open') return { mark, sets: {}, chains }
  const blocks = [...closed4, ...closed6, ...metadataAddresses, ...host.map(localNetworkOf)]
  const through64 = blocks.filter(({ family }) => family === 4).map((block) => embed(block, nat64))
  const closed = outermost([...blocks, ...through64])
  const elements = (family: 4 | 6) => closed.filter((block) => block.family === family).map(formatPrefix)
  return {
    mark,
    sets: { closed4: { type: 'ipv4_addr', elements: elements(4) }, closed6: { type: 'ipv6_addr', elements: elements(6) } },
    chains: {
      ...chains,
      internet: ['meta l4proto { tcp, udp } accept', 'icmp type echo-request accept', 'icmpv6 type echo-request accept', 'goto refuse'],
      input: [lo('iif'), replies, neighbours('advert'), ...opened(published), 'goto refuse'],
      output: [
        lo('oif'), replies, neighbours('solicit'),
        ...resolvers.map((resolver) => `${to(resolver)} meta l4proto { tcp, udp } th dport 53 accept`),
        ...places.flatMap((place) => [`${to(place.to)} meta l4proto { tcp, udp } th dport ${place.port} accept`, `${to(place.to)} ${place.to.family === 4 ? 'icmp' : 'icmpv6'} type echo-request accept`]),
        'ip daddr @closed4 goto refuse', 'ip6 daddr @closed6 goto refuse',
        'meta nfproto ipv4 goto internet', `ip6 daddr { ${internet6.map(formatPrefix).join(', ')} } goto internet`,
        'goto refuse',
      ],
    },
  }
}

/** Without neighbour discovery there is no IPv6. A hop limit of 255 shows that nobody forwarded it: RFC 4861, 6.1 and 7.1. */
const neighbours = (router: 'solicit' | 'advert') => `ip6 hoplimit 255 icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-${router} } accept`

const to = (block: IpPrefix) => `${block.family === 4 ? 'ip' : 'ip6'} daddr ${formatPrefix(block)}`

function localNetworkOf(block: IpPrefix): IpPrefix {
  return block.family === 4 || block.length <= localNetwork6 ? block : parsePrefix(`${formatPrefix(block)}/${localNetwork6}`)!
}

function opened(published: PublishedPorts): string[] {
  return (['tcp', 'udp'] as const).flatMap((protocol) => {
    const ports = published[protocol]
    if (ports === null) return [`meta l4proto ${protocol} accept`]
    return ports.length === 0 ? [] : [`${protocol} dport { ${ports.join(', ')} } accept`]
  })
}

/** The table that everything is in; nothing else is in the namespace of a sandbox. */
export const egressTable = 'inet paddock'

const hooks: Record<string, string> = { input: 'type filter hook input priority filter; policy drop;', output: 'type filter hook output priority filter; policy drop;' }

/**
 * The rules as one file for `nft --file`, which takes effect whole or not at all. Where there is such a table already it fails: a
 * sandbox's namespace is new, and to delete a table first makes each launch wait for the kernel. Pure.
 */
export function formatEgressRules({ sets, chains }: EgressRules): string {
  const block = (head: string, lines: readonly string[]) => [`  ${head} {`, ...lines.map((line) => `    ${line}`), '  }']
  return [
    `create table ${egressTable}`,
    `table ${egressTable} {`,
    ...Object.entries(sets).flatMap(([name, { type, elements }]) => block(`set ${name}`, [`type ${type}`, 'flags interval', `elements = { ${elements.join(', ')} }`])),
    ...Object.entries(chains).flatMap(([name, rules]) => block(`chain ${name}`, [...(hooks[name] ? [hooks[name]] : []), ...rules])),
    '}',
    '',
  ].join('\n')
}
