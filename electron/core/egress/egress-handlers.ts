import { setTimeout as sleep } from 'node:timers/promises'
import type { Handlers } from '../../../shared/contract/contract.ts'
import type { egressContract } from '../../../shared/contract/egress-contract.ts'
import { effectiveRules, floorOf, mistakesOf, type Policy } from '../../../shared/domain/egress-policy.ts'
import { formatHostRule, matchesRule, parseHostRule } from '../../../shared/domain/egress-host.ts'
import { type AskedHost, canBeRule, type EgressPrompt, onceMs, openHosts, ruleFor } from '../../../shared/domain/egress-prompt.ts'
import { mergeRequests, totalsByHost } from '../../../shared/domain/egress-request.ts'
import { sandboxLabels } from '../../../shared/domain/launch.ts'
import { matchId } from '../../../shared/domain/match-id.ts'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { inspectContainers } from '../engine/containers.ts'
import type { Podman } from '../engine/podman.ts'
import { noSandbox, severalFit } from '../sandboxes/find-sandbox.ts'
import { createProxyKeeper } from './proxy/keep-proxy.ts'
import type { PolicyStore } from './proxy/policy-store.ts'
import type { ProxyPlace } from './proxy/proxy-place.ts'
import { createLogReader, type LogReader, historyOf, nextWriting, readHistory } from './proxy/request-log.ts'

export type EgressHandlers = Pick<Handlers, keyof typeof egressContract>

export interface EgressServices {
  podman: Podman
  place: ProxyPlace
  store: PolicyStore
  list: () => Promise<Sandbox[]>
  /** Brings a proxy back that was killed. */
  ensure: (context: Parameters<Handlers['egress.allow']>[1]) => Promise<void>
}

/** What sandboxes reach, and what a person decides about it. @param waitMs how long who waits for requests waits at most */
export function createEgressHandlers(services: EgressServices, waitMs = 30_000): EgressHandlers {
  const { place, store } = services
  const read = createLogReader(place)
  const keep = createProxyKeeper(services)
  return {
    async 'egress.requests'({ id, after, wait }, context) {
      const { signal } = context
      const launchId = await launchOf(services, id)
      // Not a signal of `AbortSignal.any`: with a timeout in it that may be collected as garbage, and never fires (https://github.com/nodejs/node/issues/57736).
      const end = performance.now() + waitMs
      for (let isFirst = true; ; isFirst = false) {
        if (wait) await keep(context)
        const lines = launchId === null ? [] : await read(launchId)
        const last = lines.at(-1)?.n ?? 0
        // A log that begins anew has smaller numbers.
        const requests = lines.filter(({ n }) => n > after || last < after)
        // Podman is not asked each time that some log is written, but when the launch has been tidied up.
        const mayHaveEnded = wait === true && requests.length === 0 && (isFirst || (launchId !== null && (await store.sources(launchId)) === null))
        const hasEnded = mayHaveEnded && (await hasSandboxEnded(services, id))
        if (requests.length > 0 || hasEnded || !wait || signal.aborted || performance.now() >= end) return { requests, totals: totalsByHost(mergeRequests(lines)), last, hasEnded }
        if (launchId === null) await sleep(waitMs, undefined, { signal }).catch(() => {})
        else await nextWriting(place, signal)
      }
    },

    'egress.policy': async ({ id }) => policyOf(services, await running(services, id)),

    async 'egress.allow'({ id, rule, for: scope }, context) {
      const parsed = parseHostRule(rule)
      if (typeof parsed === 'string') {
        const hint = rule.startsWith('@') ? { hint: `Lists are a profile's: paddock profile set PROFILE allow+=${rule}` } : {}
        throw new PaddockError({ code: 'usage', message: `"${rule}" is no rule of an allowlist: ${parsed}.`, ...hint })
      }
      const text = formatHostRule(parsed)
      const sandbox = await running(services, id)
      const { launchId, lane } = await laneOf(services, sandbox)
      await services.ensure(context)
      await store.decide(launchId, ({ rules, refused }) => ({
        rules: scope === 'profile' ? rules : [...rules.filter((one) => one.rule !== text), { rule: text, until: null }],
        refused: refused.filter((host) => (parsed.isWildcard ? !host.endsWith(`.${parsed.host}`) : host !== parsed.host)),
      }))
      if (scope === 'profile') await store.allowForProfile(lane.profile, (rules) => [...new Set([...rules, text])])
      return policyOf(services, sandbox)
    },

    async 'egress.forget'({ id, rule }) {
      const sandbox = await running(services, id)
      const { launchId, lane } = await laneOf(services, sandbox)
      const parsed = parseHostRule(rule)
      const text = typeof parsed === 'string' ? rule : formatHostRule(parsed)
      const sources = (await store.sources(launchId))?.sources
      const isOfProfile = sources?.profile.includes(text) ?? false
      const isOfSandbox = sources?.decisions.rules.some((one) => one.rule === text) || sources?.decisions.refused.includes(text)
      if (!isOfProfile && !isOfSandbox) throw neverAllowed(text, sandbox)
      await store.decide(launchId, ({ rules, refused }) => ({ rules: rules.filter((one) => one.rule !== text), refused: refused.filter((host) => host !== text) }))
      if (isOfProfile) await store.allowForProfile(lane.profile, (rules) => rules.filter((one) => one !== text))
      return policyOf(services, sandbox)
    },

    'egress.prompts': () => promptsOf(services, read),

    async 'egress.decide'({ id, hosts, answer }, context) {
      const { launchId, lane } = await laneOf(services, await running(services, id))
      await services.ensure(context)
      const asked = hosts.filter(canBeRule)
      const rules = asked.map(ruleFor)
      const until = answer === 'once' ? new Date(Date.now() + onceMs).toISOString() : null
      const names = asked.map(({ host }) => host)
      await store.decide(launchId, (before) => {
        const refused = before.refused.filter((host) => !names.includes(host))
        if (answer === 'no') return { ...before, refused: [...refused, ...names] }
        const kept = before.rules.filter(({ rule }) => !rules.includes(rule))
        return { refused, rules: answer === 'profile' ? before.rules : [...kept, ...rules.map((rule) => ({ rule, until }))] }
      })
      if (answer === 'profile') await store.allowForProfile(lane.profile, (before) => [...new Set([...before, ...rules])])
      return {}
    },
  }
}

/** Every sandbox with something to decide, by the logs of those that run. */
async function promptsOf({ place, store }: Pick<EgressServices, 'place' | 'store'>, read: LogReader): Promise<EgressPrompt[]> {
  const prompts = await Promise.all(
    (await historyOf(place, await store.launches())).map(async ({ launchId, sandboxId, profile, project }): Promise<EgressPrompt[]> => {
      const found = await store.sources(launchId)
      if (found === null) return []
      const now = new Date()
      const rules = effectiveRules(found.sources, now.toISOString()).map(({ rule }) => parseHostRule(rule)).filter((rule) => typeof rule !== 'string')
      const { refused } = found.sources.decisions
      const isDecided = ({ host, port }: AskedHost) => refused.includes(host) || [true, false].some((isTunnel) => rules.some((rule) => matchesRule(rule, { isTunnel, host, port, path: '' })))
      const hosts = openHosts(await read(launchId), isDecided, now.getTime())
      return hosts.length === 0 ? [] : [{ sandboxId, profile, project, hosts }]
    }),
  )
  return prompts.flat()
}

/** Tells what is to be decided, at once and whenever it changes, until the signal says stop. Meanwhile the proxy is kept running. */
export async function followPrompts(services: Omit<EgressServices, 'podman'>, tell: (prompts: EgressPrompt[]) => void, signal: AbortSignal): Promise<void> {
  const read = createLogReader(services.place)
  const keep = createProxyKeeper(services)
  let told: string | null = null
  while (!signal.aborted) {
    await keep({ signal, onProgress: () => {} })
    const prompts = await promptsOf(services, read)
    const text = JSON.stringify(prompts)
    if (text !== told && !signal.aborted) tell(prompts)
    told = text
    await nextWriting(services.place, signal)
  }
}

async function running({ list }: EgressServices, id: string): Promise<Sandbox> {
  const sandboxes = await list()
  const match = matchId(sandboxes, id)
  const found = match.kind === 'one' ? sandboxes.find((sandbox) => sandbox.id === match.id) : undefined
  if (found) return found
  throw match.kind === 'several' ? severalFit(id, match.ids) : noSandbox(id)
}

async function hasSandboxEnded({ list }: EgressServices, id: string): Promise<boolean> {
  return !(await list()).some((sandbox) => sandbox.id.startsWith(id) && sandbox.state === 'running')
}

/** The launch whose log is a sandbox's, which may have ended; null for one without a proxy. */
async function launchOf(services: EgressServices, id: string): Promise<string | null> {
  const fits = (await readHistory(services.place)).filter(({ sandboxId }) => sandboxId.startsWith(id))
  if (fits.length === 1) return fits[0]!.launchId
  if (fits.length > 1) throw severalFit(id, fits.map(({ sandboxId }) => sandboxId))
  await running(services, id)
  return null
}

function neverAllowed(rule: string, { id }: Sandbox): PaddockError {
  return new PaddockError({
    code: 'usage',
    message: `You have not allowed ${rule}; nothing was changed.`,
    hint: `"paddock policy ${id.slice(0, 12)}" tells what it may reach. What its label allows is taken away with: paddock profile set PROFILE allow-=${rule}`,
  })
}

async function launchIdOf(podman: Podman, { id }: Sandbox): Promise<string> {
  const [container] = await inspectContainers(podman, [id])
  return container?.Config.Labels?.[sandboxLabels.launch] ?? ''
}

async function laneOf({ podman, store }: EgressServices, sandbox: Sandbox) {
  const launchId = await launchIdOf(podman, sandbox)
  const found = sandbox.egress === 'allowlist' ? await store.sources(launchId) : null
  if (found !== null) return { launchId, lane: found.lane }
  throw new PaddockError({
    code: 'egress-unavailable',
    message: `Sandbox ${sandbox.id.slice(0, 12)} has no allowlist: its egress is ${sandbox.egress === 'unenforced' ? 'not held' : sandbox.egress}.`,
    hint: 'Hosts are allowed for sandboxes that were launched with egress allowlist.',
  })
}

async function policyOf({ podman, store }: EgressServices, sandbox: Sandbox): Promise<Policy> {
  const floor = floorOf(sandbox.egress)
  const found = sandbox.egress === 'allowlist' ? await store.sources(await launchIdOf(podman, sandbox)) : null
  if (found === null) return { mode: sandbox.egress, rules: [], refused: [], mistakes: [], floor }
  const { sources } = found
  return { mode: sandbox.egress, rules: effectiveRules(sources, new Date().toISOString()), refused: sources.decisions.refused, mistakes: mistakesOf(sources.words, sources.machine), floor }
}
