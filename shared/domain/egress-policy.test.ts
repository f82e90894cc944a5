import { describe, expect, it } from 'vitest'
import { effectiveRules, floorOf, formatProxyPolicy, mistakesOf, noDecisions } from './egress-policy.ts'
import { noHostsOnMachine } from './egress-lists.ts'
import { type AskedHost, inOrderOfAsking, openHosts, promptMs, ruleFor } from './egress-prompt.ts'
import { type EgressRequest, followRequests, mergeRequests, readRequests, totalsByHost } from './egress-request.ts'

const now = '2026-11-30T10:00:00.000Z'
const launch = '11111111-2222-4333-8444-555555555555'

describe('rules', () => {
  const sources = {
    words: ['@npm', 'Example.org', '192.168.1.2:5432', 'nonsense'],
    profile: ['profile.example'],
    decisions: { rules: [{ rule: 'sandbox.example', until: null }, { rule: 'once.example', until: '2026-11-30T10:05:00.000Z' }, { rule: 'over.example', until: '2026-11-30T09:59:59.000Z' }], refused: ['no.example'] },
    machine: { npm: ['npm.example'], apt: [] },
  }

  it('come from the label, its lists, and the person, in that order, and what is over is gone', () => {
    expect(effectiveRules(sources, now)).toEqual([
      { rule: 'npm.example', source: { kind: 'list', list: 'npm' } },
      { rule: 'example.org', source: { kind: 'label' } },
      { rule: 'profile.example', source: { kind: 'profile' } },
      { rule: 'sandbox.example', source: { kind: 'sandbox' } },
      { rule: 'once.example', source: { kind: 'once', until: '2026-11-30T10:05:00.000Z' } },
    ])
    expect(mistakesOf(sources.words, sources.machine)).toEqual([{ word: 'nonsense', why: expect.stringContaining('has a domain') }])
    expect(mistakesOf(['@npm', '@debian'], sources.machine)).toEqual([{ word: '@debian', why: expect.stringContaining('apt on this machine') }])
  })

  it('are told to the proxy a line each, whole or not at all', () => {
    const rules = effectiveRules({ words: ['*.a.example:8080', 'b.example/path'], profile: [], decisions: { rules: [{ rule: 'c.example', until: '2026-11-30T10:05:00.000Z' }], refused: [] }, machine: noHostsOnMachine }, now)
    expect(formatProxyPolicy(launch, rules, ['no.example'])).toBe(
      [`launch ${launch}`, 'rule below a.example 8080 - - *.a.example:8080', 'rule host b.example - /path - b.example/path', `rule host c.example - - ${Date.parse(now) / 1000 + 300} c.example`, 'refused no.example', 'end', ''].join('\n'),
    )
  })

  it('of a file that somebody wrote by hand reach the proxy only if they are rules', () => {
    expect(formatProxyPolicy(launch, [{ rule: 'a.example\nrule host evil.example - - - x', source: { kind: 'profile' } }], [])).toBe(`launch ${launch}\nend\n`)
  })

  it('never say more than the floor', () => {
    expect(floorOf('allowlist').join(' ')).toMatch(/no DNS.*port 443.*metadata/)
    expect(floorOf('unenforced')).toEqual([])
    expect(effectiveRules({ words: [], profile: [], decisions: noDecisions, machine: noHostsOnMachine }, now)).toEqual([])
  })
})

const request = (changed: Partial<EgressRequest> = {}): EgressRequest => ({
  n: 1, key: 'a', at: now, host: 'a.example', port: 443, method: 'CONNECT', path: null, sent: 1, received: 2, allowed: false, rule: null, reason: 'not-listed', agent: 'npm', ...changed,
})

describe('a log', () => {
  it('is read line by line, whatever is in it', () => {
    expect(readRequests(`${JSON.stringify(request())}\n{"n":\nnull\n${JSON.stringify(request({ n: 2 }))}\n{"n":3`)).toEqual([request(), request({ n: 2 })])
  })

  it('has a tunnel once: as it began, with what went through it', () => {
    const begin = request({ allowed: true, reason: 'listed', sent: null, received: null })
    const end = request({ n: 3, at: '2026-11-30T10:09:00.000Z', allowed: true, reason: 'listed', sent: 10, received: 20, agent: null })
    expect(mergeRequests([begin, request({ n: 2, key: 'b' }), end])).toEqual([{ ...end, at: now, agent: 'npm' }, request({ n: 2, key: 'b' })])
  })

  it('is followed request by request: one that is told once, and again when a tunnel that was open has ended', () => {
    const begin = (key: string) => request({ key, allowed: true, reason: 'listed', sent: null, received: null })
    const end = (key: string) => request({ key, allowed: true, reason: 'listed', sent: 10, received: 20 })
    const told = followRequests()
    const seen = (...lines: EgressRequest[]) => told(lines).map(({ request: { key, received }, isEnd }) => [key, received, isEnd])
    expect(seen(begin('short'), begin('long'), end('short'), request({ key: 'plain' }))).toEqual([['short', 20, false], ['long', null, false], ['plain', 2, false]])
    expect(seen(request({ key: 'next' }))).toEqual([['next', 2, false]])
    expect(seen(end('long'))).toEqual([['long', 20, true]])
  })

  it('is summed by host', () => {
    const all = [request(), request({ key: 'b', host: 'b.example', allowed: true, sent: null, received: null }), request({ key: 'c', at: '2026-11-30T10:01:00.000Z' })]
    expect(totalsByHost(all)).toEqual([{ host: 'a.example', allowed: 0, blocked: 2, sent: 2, received: 4, lastAt: '2026-11-30T10:01:00.000Z' }, { host: 'b.example', allowed: 1, blocked: 0, sent: 0, received: 0, lastAt: now }])
  })
})

describe('a prompt', () => {
  const none = () => false
  const at = Date.parse(now)

  it('is for each host and port that was blocked, once, however often it was', () => {
    const hosts = openHosts([...Array.from({ length: 40 }, (_each, n) => request({ n, key: String(n) })), request({ host: 'b.example', port: 80, at: '2026-11-30T09:59:00.000Z' })], none, at)
    expect(hosts).toEqual([
      { host: 'a.example', port: 443, count: 40, firstAt: now, lastAt: now, agent: 'npm' },
      { host: 'b.example', port: 80, count: 1, firstAt: '2026-11-30T09:59:00.000Z', lastAt: '2026-11-30T09:59:00.000Z', agent: 'npm' },
    ])
  })

  it('is not for what no rule could let through, for what was let through, or for what was decided', () => {
    expect(openHosts([request({ reason: 'private' }), request({ reason: 'port' }), request({ reason: 'refused' }), request({ allowed: true, reason: 'listed' })], none, at)).toEqual([])
    expect(openHosts([request()], ({ host }: AskedHost) => host === 'a.example', at)).toEqual([])
  })

  it('is not for a name that no rule can hold, which no answer would end, nor for one that would be a rule for more', () => {
    const names = ['localhost', 'a b.example', 'a\u202eb.example', '-', '*.example.org', 'a.example/b', 'a.example\nrefused b.example']
    expect(openHosts(names.map((host, n) => request({ host, key: String(n) })), none, at)).toEqual([])
  })

  it('keeps its hosts in their places while they are asked for again', () => {
    const first = [request({ host: 'b.example' }), request({ host: 'c.example', at: '2026-11-30T10:00:01.000Z' }), request({ host: 'a.example' })]
    const names = (requests: EgressRequest[]) => inOrderOfAsking(openHosts(requests, none, at)).map(({ host }) => host)
    expect(names(first)).toEqual(['a.example', 'b.example', 'c.example'])
    expect(names([...first, request({ host: 'd.example', at: '2026-11-30T10:00:02.000Z' }), request({ host: 'c.example', at: '2026-11-30T10:00:03.000Z' })])).toEqual(['a.example', 'b.example', 'c.example', 'd.example'])
  })

  it('waits for nobody for ever', () => {
    expect(openHosts([request()], none, at + promptMs)).toHaveLength(1)
    expect(openHosts([request()], none, at + promptMs + 1)).toEqual([])
  })

  it('has a bounded number of hosts, the latest', () => {
    const many = Array.from({ length: 200 }, (_each, n) => request({ n, key: String(n), host: `h${n}.example`, at: new Date(at - 200_000 + n * 1000).toISOString() }))
    const hosts = openHosts(many, none, at)
    expect([hosts.length, hosts[0]!.host]).toEqual([50, 'h199.example'])
  })

  it.each([['a.example', 443, 'a.example'], ['a.example', 80, 'a.example'], ['a.example', 8080, 'a.example:8080']])('%s and %i become the rule %s', (host, port, rule) => expect(ruleFor({ host, port })).toBe(rule))
})
