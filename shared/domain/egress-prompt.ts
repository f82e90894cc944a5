import * as z from 'zod/mini'
import { parseHostRule } from './egress-host.ts'
import { canBeAllowed, type EgressRequest } from './egress-request.ts'

/** A host that was blocked, about which the person may decide. Its texts are the sandbox's: hostile. */
export const askedHostSchema = z.object({
  host: z.string(),
  port: z.int(),
  /** How often it was asked for since the prompt began. */
  count: z.number(),
  firstAt: z.string(),
  lastAt: z.string(),
  agent: z.nullable(z.string()),
})
export type AskedHost = z.infer<typeof askedHostSchema>

/** All that is to be decided for one sandbox: a burst is one prompt. */
export const egressPromptSchema = z.object({ sandboxId: z.string(), profile: z.string(), project: z.nullable(z.string()), hosts: z.array(askedHostSchema) })
export type EgressPrompt = z.infer<typeof egressPromptSchema>

/** How a person decides: for a while, for the sandbox, for all sandboxes of the profile, or not. */
export const egressAnswers = ['once', 'sandbox', 'profile', 'no'] as const
export const egressAnswerSchema = z.enum(egressAnswers)
export type EgressAnswer = z.infer<typeof egressAnswerSchema>

/** How long `once` holds: programs try again, and with several connections. */
export const onceMs = 5 * 60_000
/** Nobody is asked about what was blocked longer ago. */
export const promptMs = 10 * 60_000
/** More hosts than a person decides about at a time; the latest count. */
const maxHosts = 50

/** The port that a rule for a host needs: none where the scheme's own was asked for. Pure. */
export function ruleFor({ host, port }: Pick<AskedHost, 'host' | 'port'>): string {
  return port === 80 || port === 443 ? host : `${host}:${port}`
}

/**
 * Whether a rule can name what was asked for, and nothing more: a sandbox may ask for a host that is called `*.example.org`,
 * and the yes to that would be one to all hosts below. Pure.
 */
export function canBeRule(asked: Pick<AskedHost, 'host' | 'port'>): boolean {
  const rule = parseHostRule(ruleFor(asked))
  return typeof rule !== 'string' && !rule.isWildcard && rule.path === null
}

/**
 * What is open of a sandbox's requests: blocked for want of a rule, lately, and not decided since. Of a host that no
 * rule can name nothing can be decided. Pure.
 * @param isDecided whether a rule or a no covers a host by now
 * @param now ms
 */
export function openHosts(requests: readonly EgressRequest[], isDecided: (host: AskedHost) => boolean, now: number): AskedHost[] {
  const hosts = new Map<string, AskedHost>()
  for (const request of requests) {
    if (request.allowed || !canBeAllowed(request) || now - Date.parse(request.at) > promptMs) continue
    const { host, port, at, agent } = request
    const key = `${host} ${port}`
    const before = hosts.get(key)
    hosts.set(key, { host, port, count: (before?.count ?? 0) + 1, firstAt: before?.firstAt ?? at, lastAt: at, agent: agent ?? before?.agent ?? null })
  }
  return [...hosts.values()].filter((host) => canBeRule(host) && !isDecided(host)).sort((a, b) => (a.lastAt < b.lastAt ? 1 : -1)).slice(0, maxHosts)
}

/** Hosts as they were first asked for: a sandbox that asks again must not move one under a pointer that is about to press. Pure. */
export function inOrderOfAsking(hosts: readonly AskedHost[]): AskedHost[] {
  return hosts.toSorted((a, b) => (a.firstAt === b.firstAt ? (ruleFor(a) < ruleFor(b) ? -1 : 1) : a.firstAt < b.firstAt ? -1 : 1))
}
