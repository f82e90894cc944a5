import * as z from 'zod/mini'
import { egressModeSchema } from './egress.ts'
import { parseAllowance } from './egress-allowances.ts'
import { formatHostRule, parseHostRule } from './egress-host.ts'
import { type HostsOnMachine, listSign } from './egress-lists.ts'

/** Where a rule comes from. */
export const ruleSourceSchema = z.discriminatedUnion('kind', [
  /** The run label names it. */
  z.object({ kind: z.literal('label') }),
  /** The run label names a list that holds it. */
  z.object({ kind: z.literal('list'), list: z.string() }),
  /** The person allows it for every sandbox of the profile. */
  z.object({ kind: z.literal('profile') }),
  /** The person allowed it for this sandbox. */
  z.object({ kind: z.literal('sandbox') }),
  /** The person allowed it for a while. */
  z.object({ kind: z.literal('once'), until: z.string() }),
])
export type RuleSource = z.infer<typeof ruleSourceSchema>

export const policyRuleSchema = z.object({ rule: z.string(), source: ruleSourceSchema })
export type PolicyRule = z.infer<typeof policyRuleSchema>

/** What a sandbox is held to, and why. */
export const policySchema = z.object({
  /** What holds it; `unenforced` where nothing does. */
  mode: z.union([egressModeSchema, z.literal('unenforced')]),
  /** What is let through; only in `allowlist`. */
  rules: z.array(policyRuleSchema),
  /** Hosts to which the person said no: nobody is asked about them again. */
  refused: z.array(z.string()),
  /** Words of the label that open nothing, and why: the end of a sentence. */
  mistakes: z.array(z.object({ word: z.string(), why: z.string() })),
  /** What no rule can change, a sentence each. */
  floor: z.array(z.string()),
})
export type Policy = z.infer<typeof policySchema>

/** What the person decided for one sandbox; kept with its launch. */
export const decisionsSchema = z.object({
  rules: z.array(z.object({ rule: z.string(), until: z.nullable(z.string()) })),
  refused: z.array(z.string()),
})
export type Decisions = z.infer<typeof decisionsSchema>
export const noDecisions: Decisions = { rules: [], refused: [] }

/** What rules of a sandbox come from. */
export interface PolicySources {
  /** Words of the label's `egress-allow`. */
  words: readonly string[]
  /** What the person allows for every sandbox of the profile. */
  profile: readonly string[]
  decisions: Decisions
  /** For lists that stand for what the machine is set to. */
  machine: HostsOnMachine
}

/** The rules of a sandbox in the order in which they are tried. Pure. @param now ISO 8601 */
export function effectiveRules({ words, profile, decisions, machine }: PolicySources, now: string): PolicyRule[] {
  const fromLabel = words.flatMap((word): PolicyRule[] => {
    const allowance = parseAllowance(word)
    if (typeof allowance === 'string' || allowance.kind === 'place') return []
    if (allowance.kind === 'host') return [{ rule: formatHostRule(allowance.rule), source: { kind: 'label' } }]
    const { name, rules, from } = allowance.list
    return (from ? machine[from] : rules).map((rule) => ({ rule, source: { kind: 'list', list: name } }))
  })
  const own = decisions.rules.filter(({ until }) => until === null || until > now)
  return [
    ...fromLabel,
    ...profile.map((rule): PolicyRule => ({ rule, source: { kind: 'profile' } })),
    ...own.map(({ rule, until }): PolicyRule => ({ rule, source: until === null ? { kind: 'sandbox' } : { kind: 'once', until } })),
  ]
}

/** What of the machine the lists among a label's words stand for. Pure. */
export function machineSourcesOf(words: readonly string[]): (keyof HostsOnMachine)[] {
  return words.filter((word) => word.startsWith(listSign)).flatMap((word) => {
    const allowance = parseAllowance(word)
    return typeof allowance !== 'string' && allowance.kind === 'list' && allowance.list.from ? [allowance.list.from] : []
  })
}

/** Words of a label that open nothing, and why. Pure. */
export function mistakesOf(words: readonly string[], machine: HostsOnMachine): Policy['mistakes'] {
  return words.flatMap((word) => {
    const allowance = parseAllowance(word)
    if (typeof allowance === 'string') return [{ word, why: allowance }]
    const from = allowance.kind === 'list' ? allowance.list.from : undefined
    return from && machine[from].length === 0 ? [{ word, why: `${from} on this machine is set to no host: name the hosts themselves` }] : []
  })
}

/**
 * The policy as the proxy's program reads it: a line each for the launch, the rules and the refused hosts. Pure.
 * @param launchId names the log, too
 */
export function formatProxyPolicy(launchId: string, rules: readonly PolicyRule[], refused: readonly string[]): string {
  const lines = rules.flatMap(({ rule, source }) => {
    const parsed = parseHostRule(rule)
    if (typeof parsed === 'string') return []
    const until = source.kind === 'once' ? String(Math.floor(Date.parse(source.until) / 1000)) : '-'
    return [['rule', parsed.isWildcard ? 'below' : 'host', parsed.host, parsed.port ?? '-', parsed.path ?? '-', until, formatHostRule(parsed)].join(' ')]
  })
  return [`launch ${launchId}`, ...lines, ...refused.map((host) => `refused ${host}`), 'end', ''].join('\n')
}

/** What no rule can change in a mode. */
export function floorOf(mode: Policy['mode']): string[] {
  if (mode === 'unenforced') return []
  if (mode === 'deny') return ['Nothing leaves the sandbox, and it asks for no names.']
  const closed = 'This machine, private networks, carrier-grade NAT, link-local addresses, multicast and cloud metadata are closed'
  if (mode === 'open') return [`${closed}, but for addresses that the profile names with a port.`]
  return [
    'HTTP and HTTPS through the proxy only: no DNS, no UDP, no other TCP.',
    'Tunnels lead to port 443 only, to a name and not to an address.',
    'TLS has to ask for the name that the tunnel is for.',
    `${closed}, whatever name leads there.`,
  ]
}
