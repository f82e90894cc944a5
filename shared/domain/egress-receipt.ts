import type { EgressRules } from './egress-rules.ts'

/** What a launch knows of the rules that its hook has to put in place. */
export interface EgressExpectation {
  rules: EgressRules
  /** Podman's full id of the sandbox. */
  sandboxId: string
  /** The host's own network namespace, as `/proc/self/ns/net` names it. */
  hostNetns: string
}

/** What a hook tells: that it refused and why, or what it saw in the namespace. */
export type EgressReceipt = { refused: string } | { netns: string; sandboxId: string; listing: string }

/** The last line of a receipt that is whole. */
export const receiptEnd = 'end'

/** Reads a receipt. @returns null while it is not whole */
export function parseReceipt(text: string): EgressReceipt | null {
  if (!text.endsWith(`\n${receiptEnd}\n`)) return null
  if (text.startsWith('refused ')) return { refused: text.slice('refused '.length, -receiptEnd.length - 2).trim() }
  const [, netns, state, listing] = /^netns (\S+)\nstate ([\s\S]*?)\n(table [\s\S]*)\nend\n$/.exec(text) ?? []
  const sandboxId = /"id"\s*:\s*"([0-9a-f]{64})"/.exec(state ?? '')?.[1]
  return netns === undefined || listing === undefined || sandboxId === undefined ? { refused: 'it left no readable receipt' } : { netns, sandboxId, listing }
}

/**
 * Judges what a hook saw: the sandbox is this launch's, its namespace is not the host's, and the kernel lists the rules
 * that were to be loaded, both chains closed by default. Pure.
 * @returns why it is not so, the end of a sentence; null when it is
 */
export function judgeReceipt(receipt: EgressReceipt, { rules, sandboxId, hostNetns }: EgressExpectation): string | null {
  if ('refused' in receipt) return receipt.refused
  if (receipt.sandboxId !== sandboxId) return 'the rules were put in place for another sandbox'
  if (!/^net:\[\d+\]$/.test(receipt.netns) || receipt.netns === hostNetns) return 'the network is the host’s own'
  const listed = parseListing(receipt.listing)
  if (listed === null) return 'the kernel lists no such rules'
  for (const [name, { elements }] of Object.entries(rules.sets)) {
    if (listed.get(`set ${name}`)?.length !== elements.length) return `the set ${name} is not as it should be`
  }
  for (const [name, expected] of Object.entries(rules.chains)) {
    if (!isChain(listed.get(`chain ${name}`), name, expected, rules.mark)) return `the chain ${name} is not as it should be`
  }
  return listed.size === Object.keys(rules.sets).length + Object.keys(rules.chains).length ? null : 'there are rules that nobody asked for'
}

function isChain(lines: readonly string[] | undefined, name: string, expected: readonly string[], mark: string): boolean {
  if (lines === undefined) return false
  if (name !== 'input' && name !== 'output') return lines.length === expected.length
  const [hook, first] = lines
  const isClosed = new RegExp(`^type filter hook ${name} priority (filter|0); policy drop;$`).test(hook ?? '')
  return isClosed && lines.length === expected.length + 1 && first!.includes(`"paddock ${mark}"`) && lines.at(-1) === 'goto refuse'
}

/** Lines by chain, and elements by set, of what `nft list table` prints; null for something else. */
function parseListing(text: string): Map<string, string[]> | null {
  const [, body] = /^table inet paddock \{\n([\s\S]*)\n\}\s*$/.exec(text) ?? []
  if (body === undefined) return null
  const found = new Map<string, string[]>()
  for (const [, head, inner] of body.matchAll(/^\t((?:set|chain) \w+) \{\n([\s\S]*?)^\t\}$/gm)) {
    const elements = /elements = \{([^}]*)\}/.exec(inner!)?.[1]
    found.set(head!, head!.startsWith('set ') ? (elements ?? '').split(',').map((one) => one.trim()).filter(Boolean) : inner!.split('\n').map((line) => line.trim()).filter(Boolean))
  }
  return found
}
