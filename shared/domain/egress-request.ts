import * as z from 'zod/mini'

/** Why a request was let through or not. The first is the only one that lets through. */
export const egressReasons = ['listed', 'not-listed', 'refused', 'address', 'port', 'path', 'metadata', 'private', 'server-name', 'not-tls', 'unresolved', 'unreachable', 'no-policy'] as const
export const egressReasonSchema = z.enum(egressReasons)
export type EgressReason = z.infer<typeof egressReasonSchema>

const text = z.string().check(z.maxLength(600))

/** A request of a sandbox to its proxy. Its texts are the sandbox's: hostile. */
export const egressRequestSchema = z.object({
  /** Grows by one with each line of a sandbox's log. */
  n: z.int(),
  /** The same in the line that a request begins with and the one that it ends with. */
  key: z.string().check(z.maxLength(40)),
  /** ISO 8601. */
  at: z.string().check(z.maxLength(40)),
  host: text,
  port: z.int(),
  method: z.string().check(z.maxLength(32)),
  /** Of plain HTTP; of HTTPS nobody sees it. */
  path: z.nullable(text),
  /** Bytes from the sandbox, and to it; null while a tunnel is open. */
  sent: z.nullable(z.number()),
  received: z.nullable(z.number()),
  allowed: z.boolean(),
  /** The rule that let it through, as it is written. */
  rule: z.nullable(text),
  reason: egressReasonSchema,
  /** What the program calls itself (`User-Agent`). */
  agent: z.nullable(text),
})
export type EgressRequest = z.infer<typeof egressRequestSchema>

/** Whether a person could let it through by a rule. */
export const canBeAllowed = ({ reason }: Pick<EgressRequest, 'reason'>) => reason === 'not-listed'

/** What a reason means, the end of a sentence. */
export const egressReasonWords: Record<EgressReason, string> = {
  listed: 'a rule lets it through',
  'not-listed': 'no rule lets it through',
  refused: 'you said no',
  address: 'it asked for an address instead of a name',
  port: 'tunnels lead to port 443 only',
  path: 'servers may read the path in different ways',
  metadata: 'the name leads to a cloud’s metadata',
  private: 'the name leads to this machine or a private network',
  'server-name': 'TLS asked for another name than the tunnel',
  'not-tls': 'what went through the tunnel is not TLS',
  unresolved: 'the name has no address',
  unreachable: 'its server cannot be reached, or its address is closed',
  'no-policy': 'the sandbox has no policy',
}

/** Reads lines of a log; what makes no sense is skipped. Pure. */
export function readRequests(log: string): EgressRequest[] {
  return log.split('\n').flatMap((line) => {
    try {
      const parsed = egressRequestSchema.safeParse(JSON.parse(line))
      return parsed.success ? [parsed.data] : []
    } catch {
      return []
    }
  })
}

/** One entry a request: of a tunnel that has ended the last line, at the place of the first. Pure. */
export function mergeRequests(lines: readonly EgressRequest[]): EgressRequest[] {
  const merged = new Map<string, EgressRequest>()
  for (const line of lines) {
    const before = merged.get(line.key)
    merged.set(line.key, before === undefined ? line : { ...line, at: before.at, agent: line.agent ?? before.agent })
  }
  return [...merged.values()]
}

/** A request as who follows a log reads it. */
export interface FollowedRequest {
  request: EgressRequest
  /** The end of a tunnel that was told of while it was open. */
  isEnd: boolean
}

/** Follows a log: a request is told once, and a tunnel that was still open then a second time, when it has ended. @returns what to tell of the next lines */
export function followRequests(): (lines: readonly EgressRequest[]) => FollowedRequest[] {
  const open = new Set<string>()
  return (lines) =>
    mergeRequests(lines).map((request) => {
      const isEnd = open.delete(request.key)
      if (request.received === null) open.add(request.key)
      return { request, isEnd }
    })
}

/** Requests to one host. */
export const hostTotalSchema = z.object({ host: z.string(), allowed: z.number(), blocked: z.number(), sent: z.number(), received: z.number(), lastAt: z.string() })
export type HostTotal = z.infer<typeof hostTotalSchema>

/** Sums by host, the busiest first. Pure. */
export function totalsByHost(requests: readonly EgressRequest[]): HostTotal[] {
  const totals = new Map<string, HostTotal>()
  for (const { host, allowed, sent, received, at } of requests) {
    const total = totals.get(host) ?? { host, allowed: 0, blocked: 0, sent: 0, received: 0, lastAt: at }
    totals.set(host, {
      host,
      allowed: total.allowed + (allowed ? 1 : 0),
      blocked: total.blocked + (allowed ? 0 : 1),
      sent: total.sent + (sent ?? 0),
      received: total.received + (received ?? 0),
      lastAt: at > total.lastAt ? at : total.lastAt,
    })
  }
  return [...totals.values()].sort((a, b) => b.allowed + b.blocked - (a.allowed + a.blocked) || (a.host < b.host ? -1 : 1))
}
