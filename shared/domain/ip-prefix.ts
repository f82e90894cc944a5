/** An address or a block of them, as nftables takes it. */
export interface IpPrefix {
  family: 4 | 6
  /** The first address of the block. */
  first: bigint
  /** Leading bits that all its addresses share. */
  length: number
}

const bitsOf = { 4: 32, 6: 128 } as const

/**
 * Reads `ADDRESS` or `ADDRESS/LENGTH`, IPv4 in four decimal parts only: inet_aton(3) would read more, and every reader of
 * odd spellings reads them differently. Bits behind the length are cleared.
 * @returns null for what is none; a zone (`%eth0`) makes it none
 */
export function parsePrefix(text: string): IpPrefix | null {
  const [, address, written] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (address === undefined) return null
  const family = address.includes(':') ? 6 : 4
  const first = family === 4 ? parseIpv4(address) : parseIpv6(address)
  const length = written === undefined ? bitsOf[family] : Number(written)
  if (first === null || length > bitsOf[family]) return null
  return { family, first: clear(first, bitsOf[family] - length), length }
}

const clear = (value: bigint, bits: number) => (value >> BigInt(bits)) << BigInt(bits)

function parseIpv4(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return null
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n)
}

function parseIpv6(text: string): bigint | null {
  const dotted = /^(.*:)(\d[\d.]*\.[\d.]*)$/.exec(text)
  const tail = dotted ? parseIpv4(dotted[2]!) : null
  if (dotted && tail === null) return null
  const plain = dotted ? `${dotted[1]}${(tail! >> 16n).toString(16)}:${(tail! & 0xffffn).toString(16)}` : text
  const halves = plain.split('::')
  if (halves.length > 2) return null
  const [head, rest] = halves.map((half) => (half === '' ? [] : half.split(':'))) as [string[], string[]?]
  const missing = 8 - head.length - (rest?.length ?? 0)
  if (rest === undefined ? missing !== 0 : missing < 1) return null
  const groups = [...head, ...Array<string>(missing).fill('0'), ...(rest ?? [])]
  if (!groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return null
  return groups.reduce((value, group) => value * 65_536n + BigInt(`0x${group}`), 0n)
}

/** Writes it as nftables reads it; a single address has no length. */
export function formatPrefix({ family, first, length }: IpPrefix): string {
  const address = family === 4 ? formatIpv4(first) : formatIpv6(first)
  return length === bitsOf[family] ? address : `${address}/${length}`
}

const formatIpv4 = (value: bigint) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')

/** Without a `::` but at the end, where prefixes have their zeros. */
function formatIpv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_each, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16))
  const last = groups.findLastIndex((group) => group !== '0')
  return last >= 6 ? groups.join(':') : `${groups.slice(0, last + 1).join(':')}::`
}

/** Whether a block holds all of another. */
export function holds(block: IpPrefix, other: IpPrefix): boolean {
  return block.family === other.family && block.length <= other.length && clear(other.first, bitsOf[other.family] - block.length) === block.first
}

/** The blocks without those that lie in another: two blocks never overlap in part, and nftables wants none to. */
export function outermost(blocks: readonly IpPrefix[]): IpPrefix[] {
  return blocks.filter((block, index) => !blocks.some((other, at) => at !== index && holds(other, block) && (other.length < block.length || at < index)))
}

/** An IPv4 block inside an IPv6 one of 96 bits or less, as NAT64 has it (RFC 6052). */
export function embed(block: IpPrefix, prefix: IpPrefix): IpPrefix {
  return { family: 6, first: prefix.first + (block.first << BigInt(96 - prefix.length)), length: prefix.length + block.length }
}
