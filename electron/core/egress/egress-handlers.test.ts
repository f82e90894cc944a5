import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EgressPrompt } from '../../../shared/domain/egress-prompt.ts'
import type { EgressRequest } from '../../../shared/domain/egress-request.ts'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import type { Podman } from '../engine/podman.ts'
import { launchRecord, removeLaunchRecord } from '../sandboxes/launch-record.ts'
import { createEgressHandlers, type EgressHandlers, followPrompts } from './egress-handlers.ts'
import { closeLane, readLane, releasePort, takePort, writeLane } from './lane.ts'
import { createPolicyStore, type PolicyStore } from './proxy/policy-store.ts'
import { logFileOf, policyFileOf, proxyPlace, type ProxyPlace } from './proxy/proxy-place.ts'
import { noteHistory } from './proxy/request-log.ts'

const [mine, theirs] = [`${'1'.repeat(8)}-2222-4333-8444-555555555555`, `${'6'.repeat(8)}-2222-4333-8444-555555555555`]
const ids: Record<string, string> = { [mine]: 'a'.repeat(64), [theirs]: 'b'.repeat(64) }
const open = 'c'.repeat(64)

let folder: string
let place: ProxyPlace
let store: PolicyStore
let handlers: EgressHandlers
let sandboxes: Pick<Sandbox, 'id' | 'egress' | 'state'>[]
let ensured: number
const silent = { signal: new AbortController().signal, onProgress: () => {} }

/** Knows containers by their launch, as Podman does by their label. */
const podman = {
  api: null,
  try: async (args: readonly string[]) => {
    const launchId = Object.keys(ids).find((each) => ids[each] === args.at(-1)) ?? ''
    const container = { Id: args.at(-1), ImageName: '', OCIRuntime: 'crun', State: { Status: 'running', StartedAt: '', Error: '' }, Mounts: [], Config: { Labels: { 'dev.paddock.launch': launchId } }, NetworkSettings: {} }
    return { ended: 'exited', exitCode: 0, stdout: JSON.stringify([container]), stderr: '', command: [] }
  },
} as unknown as Podman

async function addLane(launchId: string, port: number, profile: string) {
  const record = launchRecord(join(folder, 'launches'), launchId)!
  mkdirSync(record.folder, { recursive: true })
  const proxyPolicyFile = policyFileOf(place, port)
  await writeLane(record.policyFile, { port, proxyPolicyFile, launchId, profile, project: '/p', words: ['@npm', 'listed.example'] })
  await takePort([port], (each) => policyFileOf(place, each), launchId)
  await noteHistory(place, { launchId, sandboxId: ids[launchId]!, profile, project: '/p' })
  await store.apply(launchId)
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paddock-egress-'))
  place = proxyPlace(join(folder, 'egress'))
  for (const each of [place.policiesFolder, place.logFolder, place.historyFolder]) mkdirSync(each, { recursive: true })
  store = createPolicyStore(join(folder, 'launches'), join(folder, 'config/egress.json'))
  sandboxes = [{ id: ids[mine]!, egress: 'allowlist' as const }, { id: ids[theirs]!, egress: 'allowlist' as const }, { id: open, egress: 'open' as const }].map((one) => ({ ...one, state: 'running' }))
  ensured = 0
  handlers = createEgressHandlers({ podman, place, store, list: async () => sandboxes as Sandbox[], ensure: async () => void ensured++ })
  await addLane(mine, 20_001, 'web')
  await addLane(theirs, 20_002, 'web')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const policy = (port: number) => readFileSync(policyFileOf(place, port), 'utf8')
let count = 0
function log(launchId: string, changed: Partial<EgressRequest>) {
  const line: EgressRequest = { n: ++count, key: String(count), at: new Date().toISOString(), host: 'asked.example', port: 443, method: 'CONNECT', path: null, sent: 0, received: 0, allowed: false, rule: null, reason: 'not-listed', agent: null, ...changed }
  appendFileSync(logFileOf(place, launchId), `${JSON.stringify(line)}\n`)
  return line
}

describe('what is allowed', () => {
  it('for a sandbox reaches the proxy for it alone, after the proxy was seen to', async () => {
    const { rules } = await handlers['egress.allow']({ id: 'a', rule: 'New.example:8080', for: 'sandbox' }, silent)
    expect(rules.at(-1)).toEqual({ rule: 'new.example:8080', source: { kind: 'sandbox' } })
    expect([policy(20_001).includes('rule host new.example 8080 '), policy(20_002).includes('new.example'), ensured]).toEqual([true, false, 1])
  })

  it('for a profile reaches all its sandboxes, and those to come', async () => {
    await handlers['egress.allow']({ id: 'a', rule: 'new.example', for: 'profile' }, silent)
    expect([policy(20_001), policy(20_002)].every((text) => text.includes('rule host new.example '))).toBe(true)
    expect(JSON.parse(readFileSync(join(folder, 'config/egress.json'), 'utf8'))).toEqual({ profiles: { web: ['new.example'] } })
  })

  it('is taken back, but what the label says stays', async () => {
    await handlers['egress.allow']({ id: 'a', rule: 'new.example', for: 'profile' }, silent)
    await handlers['egress.forget']({ id: 'b', rule: 'New.example' }, silent)
    await expect(handlers['egress.forget']({ id: 'b', rule: 'listed.example' }, silent)).rejects.toMatchObject({ report: { code: 'usage', message: expect.stringContaining('not allowed listed.example') } })
    expect(policy(20_001)).not.toContain('new.example')
    expect(policy(20_002)).toContain('rule host listed.example ')
  })

  it.each(['10.0.0.1', 'metadata.goog', 'https://a.example', ''])('is no "%s"', async (rule) => {
    await expect(handlers['egress.allow']({ id: 'a', rule, for: 'sandbox' }, silent)).rejects.toMatchObject({ report: { code: 'usage' } })
  })

  it('is nothing for a sandbox without an allowlist, or for none', async () => {
    await expect(handlers['egress.allow']({ id: 'c', rule: 'a.example', for: 'sandbox' }, silent)).rejects.toMatchObject({ report: { code: 'egress-unavailable' } })
    await expect(handlers['egress.allow']({ id: 'd', rule: 'a.example', for: 'sandbox' }, silent)).rejects.toMatchObject({ report: { code: 'sandbox-unknown' } })
    expect(await handlers['egress.policy']({ id: 'c' }, silent)).toMatchObject({ mode: 'open', rules: [], floor: [expect.stringContaining('metadata')] })
  })

  it('at the same time is all allowed, also by two who do not know of each other', async () => {
    const ofCommand = createEgressHandlers({ podman, place, store: createPolicyStore(join(folder, 'launches'), join(folder, 'config/egress.json')), list: async () => sandboxes as Sandbox[], ensure: async () => {} })
    const hosts = Array.from({ length: 8 }, (_each, at) => `h${at}.example`)
    await Promise.all(hosts.map((rule, at) => (at < 4 ? handlers : ofCommand)['egress.allow']({ id: 'a', rule, for: at % 2 === 0 ? 'sandbox' : 'profile' }, silent)))
    expect(hosts.filter((host) => policy(20_001).includes(`rule host ${host} `))).toEqual(hosts)
  })

  it('for a while is forgotten afterwards', async () => {
    const over = { rule: 'once.example', until: new Date(Date.now() - 1).toISOString() }
    await store.decide(mine, (before) => ({ ...before, rules: [over] }))
    await handlers['egress.allow']({ id: 'a', rule: 'new.example', for: 'sandbox' }, silent)
    expect((await store.sources(mine))!.sources.decisions.rules).toEqual([{ rule: 'new.example', until: null }])
  })

  it('for a profile with the name of what every object has is its own', async () => {
    await store.allowForProfile('constructor', (before) => [...before, 'new.example'])
    expect(JSON.parse(readFileSync(join(folder, 'config/egress.json'), 'utf8'))).toEqual({ profiles: { constructor: ['new.example'] } })
  })

  it('by a damaged file is nothing, and the file is set aside', async () => {
    mkdirSync(join(folder, 'config'))
    writeFileSync(join(folder, 'config/egress.json'), '{')
    await handlers['egress.allow']({ id: 'a', rule: 'new.example', for: 'profile' }, silent)
    expect(policy(20_001)).toContain('new.example')
  })
})

describe('a prompt', () => {
  const prompts = () => handlers['egress.prompts']({}, silent)
  const decide = (answer: 'once' | 'sandbox' | 'profile' | 'no') => handlers['egress.decide']({ id: ids[mine]!, hosts: [{ host: 'asked.example', port: 443 }], answer }, silent)

  it('is one for a burst', async () => {
    for (let at = 0; at < 30; at++) log(mine, { host: `h${at % 3}.example` })
    expect(await prompts()).toMatchObject([{ sandboxId: ids[mine], profile: 'web', hosts: [{ count: 10 }, { count: 10 }, { count: 10 }] }])
  })

  it.each([['once', /rule host asked\.example - - \d+ /], ['sandbox', /rule host asked\.example - - - /], ['profile', /rule host asked\.example - - - /], ['no', /refused asked\.example\n/]] as const)('that is answered with %s is over, and the proxy knows', async (answer, line) => {
    log(mine, {})
    expect(await prompts()).toHaveLength(1)
    await decide(answer)
    expect(await prompts()).toEqual([])
    expect(policy(20_001)).toMatch(line)
    await decide(answer)
    expect(policy(20_001).match(/asked\.example\n/g)).toHaveLength(1)
  })

  it.each(['sandbox', 'profile', 'no'] as const)('answered with %s about a name that is no host, or more than one, changes nothing', async (answer) => {
    const before = policy(20_001)
    await handlers['egress.decide']({ id: ids[mine]!, hosts: ['*.example.org', 'localhost', 'a.example/b', 'a\nb.example'].map((host) => ({ host, port: 443 })), answer }, silent)
    expect(policy(20_001)).toBe(before)
  })

  it('that was refused may be allowed later', async () => {
    await decide('no')
    await decide('sandbox')
    expect(policy(20_001)).not.toContain('refused')
  })

  it('goes with its sandbox', async () => {
    log(mine, {})
    await removeLaunchRecord(launchRecord(join(folder, 'launches'), mine)!)
    expect(await prompts()).toEqual([])
  })

  it('is told when it comes and when it goes', async () => {
    const told: EgressPrompt[][] = []
    const end = new AbortController()
    let wake = () => {}
    const next = () => new Promise<void>((resolve) => (wake = resolve))
    let told1 = next()
    const following = followPrompts({ place, store, list: async () => [], ensure: async () => {} }, (each) => { told.push(each); wake() }, end.signal)
    await told1
    told1 = next()
    log(mine, {})
    await told1
    told1 = next()
    await decide('no')
    await told1
    end.abort()
    await following
    expect(told.map((each) => each.length)).toEqual([0, 1, 0])
  })
})

describe('requests', () => {
  it('are those after the last one that was seen, with sums of all', async () => {
    const first = log(mine, {})
    const second = log(mine, { allowed: true, reason: 'listed' })
    expect(await handlers['egress.requests']({ id: 'a', after: first.n }, silent)).toMatchObject({ requests: [second], totals: [{ host: 'asked.example', allowed: 1, blocked: 1 }], last: second.n })
  })

  it('are waited for', async () => {
    const answer = handlers['egress.requests']({ id: 'a', after: 0, wait: true }, silent)
    const line = log(mine, {})
    expect((await answer).requests).toEqual([line])
  })

  it('bring a proxy back that was killed, while they are followed', async () => {
    log(mine, {})
    await handlers['egress.requests']({ id: 'a', after: 0 }, silent)
    expect(ensured).toBe(0)
    await handlers['egress.requests']({ id: 'a', after: 0, wait: true }, silent)
    expect(ensured).toBe(1)
  })

  it('are waited for no longer than the sandbox runs', async () => {
    const { n: after } = log(mine, {})
    let looks = 0
    const list = async () => {
      // First for a proxy that was killed, then for the sandbox, which ends thereafter.
      if (++looks === 2) await removeLaunchRecord(launchRecord(join(folder, 'launches'), mine)!)
      return looks > 2 ? [] : (sandboxes as Sandbox[])
    }
    const own = createEgressHandlers({ podman, place, store, list, ensure: async () => {} })
    expect(await own['egress.requests']({ id: 'a', after, wait: true }, silent)).toMatchObject({ requests: [], hasEnded: true })
    expect(looks).toBe(3)
  })

  it('are waited for a while, whatever the garbage collector takes meanwhile', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const { n: after } = log(mine, {})
    const answer = createEgressHandlers({ podman, place, store, list: async () => sandboxes as Sandbox[], ensure: async () => {} }, 1_500)['egress.requests']({ id: 'a', after, wait: true }, silent)
    const collecting = setInterval(collect, 50)
    expect(await answer.finally(() => clearInterval(collecting))).toMatchObject({ requests: [], hasEnded: false })
  })

  it('outlive the sandbox', async () => {
    const line = log(mine, {})
    await removeLaunchRecord(launchRecord(join(folder, 'launches'), mine)!)
    sandboxes = []
    expect((await handlers['egress.requests']({ id: 'aaaa', after: 0 }, silent)).requests).toEqual([line])
    await expect(handlers['egress.requests']({ id: 'd', after: 0 }, silent)).rejects.toMatchObject({ report: { code: 'sandbox-unknown' } })
  })

  it('begin anew where the log does', async () => {
    const line = log(mine, { n: 1 })
    expect((await handlers['egress.requests']({ id: 'a', after: 99 }, silent)).requests).toEqual([line])
  })

  it('are none for a sandbox without a proxy', async () => expect(await handlers['egress.requests']({ id: 'c', after: 0 }, silent)).toEqual({ requests: [], totals: [], last: 0, hasEnded: false }))
})

describe('lanes', () => {
  const portFile = (port: number) => join(folder, String(port))

  it('are taken once each, also by those who ask at the same time, until there is none', async () => {
    const ports = [1, 2, 3]
    const taken = await Promise.all(ports.map(() => takePort(ports, portFile, mine)))
    expect(taken.toSorted()).toEqual(ports)
    await expect(takePort(ports, portFile, mine)).rejects.toMatchObject({ report: { code: 'egress-unavailable' } })
  })

  it('are given back with the record, unless another launch has them by now', async () => {
    writeFileSync(policyFileOf(place, 20_002), `launch ${mine}\nend\n`)
    for (const launchId of [mine, theirs]) await removeLaunchRecord(launchRecord(join(folder, 'launches'), launchId)!)
    expect([existsSync(policyFileOf(place, 20_001)), existsSync(policyFileOf(place, 20_002))]).toEqual([false, true])
    expect(await readLane(launchRecord(join(folder, 'launches'), mine)!.policyFile)).toBe(null)
  })

  it.each([['being taken', ''], ['taken', `launch ${theirs}\nend\n`]])('whose port is %s by another leave it alone', async (_what, text) => {
    const file = policyFileOf(place, 20_001)
    writeFileSync(file, text)
    await store.apply(mine)
    await handlers['egress.allow']({ id: 'a', rule: 'new.example', for: 'sandbox' }, silent)
    await closeLane(launchRecord(join(folder, 'launches'), mine)!.policyFile)
    await releasePort(file, mine)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('whose port was given back get no file again', async () => {
    rmSync(policyFileOf(place, 20_001))
    await store.apply(mine)
    expect(existsSync(policyFileOf(place, 20_001))).toBe(false)
  })
})
