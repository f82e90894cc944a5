import { describe, expect, it } from 'vitest'
import { type EgressPolicy, egressRules, formatEgressRules, pastaResolver } from './egress-rules.ts'
import { parsePlace } from './egress-places.ts'
import { holds, parsePrefix } from './ip-prefix.ts'

const mark = '11111111-2222-4333-8444-555555555555'
const policy = (changed: Partial<EgressPolicy> = {}): EgressPolicy => ({ mode: 'open', mark, host: [], resolvers: [pastaResolver], places: [], published: { tcp: [], udp: [] }, ...changed })
const prefix = (text: string) => parsePrefix(text)!

/** What an address comes to in `open`, as the rules say it, for a port that nobody named. */
function isInternet(address: string, changed: Partial<EgressPolicy> = {}): boolean {
  const { sets, chains } = egressRules(policy(changed))
  const to = prefix(address)
  const closed = [...sets.closed4!.elements, ...sets.closed6!.elements].map(prefix)
  if (closed.some((block) => holds(block, to))) return false
  if (to.family === 4) return chains.output!.includes('meta nfproto ipv4 goto internet')
  const open = /ip6 daddr \{ (.*) \} goto internet/.exec(chains.output!.join('\n'))![1]!.split(', ').map(prefix)
  return open.some((block) => holds(block, to))
}

describe('open', () => {
  it.each(['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '203.0.113.10',
    '2606:4700::1111', '2001:db8::1', '2001:4860:4860::8888', '64:ff9b::1.1.1.1'])('%s is internet', (address) => {
    expect(isInternet(address)).toBe(true)
  })

  it.each(['0.0.0.0', '0.1.2.3', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.100.100.200', '100.127.255.255', '127.0.0.1', '127.255.255.255', '169.254.0.0', '169.254.1.1', '169.254.1.2', '169.254.169.254', '168.63.129.16',
    '172.16.0.0', '172.31.255.255', '192.0.0.1', '192.0.0.255', '192.88.99.1', '192.168.0.0', '192.168.255.255', '198.18.0.0', '198.19.255.255', '224.0.0.1', '239.255.255.255', '240.0.0.0', '255.255.255.255',
    '::', '::1', '::ffff:1.1.1.1', '::1.1.1.1', '64:ff9b::10.0.0.1', '64:ff9b::169.254.169.254', '64:ff9b::127.0.0.1', '64:ff9b::168.63.129.16', '64:ff9b:1::1.1.1.1', '100::1', '2001::1', '2001:0:1::1', '2002::1', '2002:a00:1::',
    'fc00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fe80::1', 'fec0::1', 'ff02::1', 'ff0e::1', '4000::1', 'e000::1'])('%s is not', (address) => {
    expect(isInternet(address)).toBe(false)
  })

  it.each([
    ['198.51.100.7', ['198.51.100.7', '64:ff9b::198.51.100.7'], ['198.51.100.8']],
    ['2001:db8:50::2', ['2001:db8:50::2', '2001:db8:50::ffff'], ['2001:db8:50:1::2']],
  ])('closes the host’s own address %s, its other forms, and its local network in IPv6', (host, closed, open) => {
    for (const address of closed) expect(isInternet(address, { host: [prefix(host)] }), address).toBe(false)
    for (const address of open) expect(isInternet(address, { host: [prefix(host)] }), address).toBe(true)
  })

  it('accepts what is named before what is closed is refused, at its port alone', () => {
    const places = ['192.168.77.20:5432', '[fd12::20]:53', '10.9.0.0/16:443'].map((text) => parsePlace(text) as Exclude<ReturnType<typeof parsePlace>, string>)
    const { output } = egressRules(policy({ places })).chains
    const refusal = output!.indexOf('ip daddr @closed4 goto refuse')
    for (const rule of ['ip daddr 192.168.77.20 meta l4proto { tcp, udp } th dport 5432 accept', 'ip6 daddr fd12:0:0:0:0:0:0:20 meta l4proto { tcp, udp } th dport 53 accept', 'ip daddr 10.9.0.0/16 meta l4proto { tcp, udp } th dport 443 accept', 'ip daddr 169.254.1.1 meta l4proto { tcp, udp } th dport 53 accept', 'ip daddr 192.168.77.20 icmp type echo-request accept']) {
      expect(output).toContain(rule)
      expect(output!.indexOf(rule)).toBeLessThan(refusal)
    }
  })

  it('lets in what the label publishes, and nothing else', () => {
    const input = (published: EgressPolicy['published']) => egressRules(policy({ published })).chains.input!.slice(3)
    expect(input({ tcp: [], udp: [] })).toEqual(['goto refuse'])
    expect(input({ tcp: ['80', '7000-7010'], udp: ['53'] })).toEqual(['tcp dport { 80, 7000-7010 } accept', 'udp dport { 53 } accept', 'goto refuse'])
    expect(input({ tcp: null, udp: null })).toEqual(['meta l4proto tcp accept', 'meta l4proto udp accept', 'goto refuse'])
  })
})

it.each(['deny', 'allowlist'] as const)('%s accepts the loopback and replies, and nothing that is named', (mode) => {
  const { sets, chains } = egressRules(policy({ mode, places: [{ to: prefix('192.168.1.1'), port: 1 }], published: { tcp: ['80'], udp: [] } }))
  expect(sets).toEqual({})
  expect(chains.output).toEqual([`oif "lo" accept comment "paddock ${mark}"`, 'ct state established,related accept', 'goto refuse'])
  expect(chains.input).toEqual([`iif "lo" accept comment "paddock ${mark}"`, 'ct state established,related accept', 'goto refuse'])
})

describe('the file', () => {
  it.each(['open', 'deny'] as const)('takes nobody else’s table, is closed by default and names no interface but lo: %s', (mode) => {
    const text = formatEgressRules(egressRules(policy({ mode })))
    expect(text.startsWith('create table inet paddock\ntable inet paddock {\n')).toBe(true)
    expect(text.match(/type filter hook (input|output) priority filter; policy drop;\n/g)).toHaveLength(2)
    expect([...text.matchAll(/\b[io]if(name)? (\S+)/g)].map(([, , name]) => name)).toEqual(['"lo"', '"lo"'])
    expect(text).toContain('meta l4proto tcp reject with tcp reset\n    reject with icmpx type admin-prohibited\n')
  })

  it('holds blocks that do not overlap, whatever the host’s addresses are', () => {
    const { sets } = egressRules(policy({ host: ['192.168.1.7', '10.0.0.1', '203.0.113.9', '203.0.113.9', 'fe80::1', '2001:db8:5::7', '2001:db8:5::8'].map(prefix) }))
    for (const { elements } of Object.values(sets)) {
      const blocks = elements.map(prefix)
      for (const [at, block] of blocks.entries()) expect(blocks.some((other, index) => index !== at && holds(other, block)), elements[at]).toBe(false)
    }
  })
})
