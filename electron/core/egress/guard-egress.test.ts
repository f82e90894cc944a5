import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakePodman, type FakePodman, type Rule } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import { listingOf } from '../../../e2e/fixtures/nft-listing.ts'
import type { LaunchPlan } from '../../../shared/contract/contract.ts'
import { egressRules, type EgressRules } from '../../../shared/domain/egress-rules.ts'
import { createEgressFiles, createLaunchRecord, type LaunchRecord, launchRecord } from '../sandboxes/launch-record.ts'
import { runLaunch } from '../sandboxes/run-launch.ts'

const launchId = '11111111-2222-4333-8444-555555555555'
const id = 'c'.repeat(64)
const expected = egressRules({ mode: 'deny', mark: launchId, host: [], resolvers: [], places: [], published: { tcp: [], udp: [] } })
let fake: FakePodman
let launches: string
let record: LaunchRecord
beforeEach(async () => {
  fake = createFakePodman()
  launches = join(fake.folder, 'launches')
  record = launchRecord(launches, launchId)!
  await createLaunchRecord(record, null)
  await createEgressFiles(record, { rules: 'the rules', hook: 'the hook' })
})
afterEach(() => fake.remove())

const plan = (): LaunchPlan => ({
  launchId, profile: 'minimal', project: '/work', isolation: 'container', egress: 'deny', rules: { expected, hostNetns: 'net:[1]' },
  proxyPort: null, command: fake.podman.command(['run', '--env=API_TOKEN=hunter2', 'img']), findings: [], notes: [], weaknesses: [],
})
const launch = () => runLaunch(fake.podman, launches, plan(), false)
const receipt = ({ netns = 'net:[2]', sandbox = id, rules = expected }: { netns?: string; sandbox?: string; rules?: EgressRules } = {}) =>
  `netns ${netns}\nstate {"ociVersion":"1.0", "id":"${sandbox}","pid":0}\n${listingOf(rules)}\nend\n`
/** A sandbox that starts, with what its hook left, and what its entrypoint reports. */
const starts = (left: string, rule: Partial<Rule> = {}, report = ''): Rule => ({ on: '^run ', writes: { [record.cidFile]: `${id}\n`, [record.receiptFile]: left, [record.bootIdFile]: report }, ...rule })
const file = (name: string) => join(fake.folder, name)
/** A sandbox that runs until it is removed, as Podman's client sees it. */
const runs = (left: string, report = ''): Rule => starts(left, { until: file('removed') }, report)
const rm = (): Rule => ({ on: '^rm ', writes: { [file('removed')]: '' } })
const removals = () => fake.calls().filter(([verb]) => verb === 'rm').map((args) => args.join(' '))
const started = '2026-11-30T01:02:03.000000004Z'
const never = '0001-01-01T00:00:00Z'
const inspected = (status: string, startedAt = started): Rule => ({
  on: '^container inspect', stdout: JSON.stringify([{ Id: id, ImageName: 'x', OCIRuntime: 'crun', State: { Status: status, StartedAt: startedAt }, Mounts: [], Config: {}, NetworkSettings: {} }]),
})
const hasAsked = (verb: string) => fake.calls().some((args) => args.join(' ').startsWith(verb))
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 })

describe('a launch with a right receipt', () => {
  it('runs to its end, noted with what it is held to', async () => {
    fake.answer([starts(receipt(), { exit: 3, until: file('seen') }), inspected('running')])
    const ended = launch()
    await eventually(() => expect(JSON.parse(readFileSync(record.egressFile, 'utf8'))).toEqual({ mode: 'deny', netns: 'net:[2]', proxyPort: null }))
    await eventually(() => expect(readFileSync(record.startFile, 'utf8')).toBe(started))
    writeFileSync(file('seen'), '')
    expect(await ended).toBe(3)
    expect(removals()).toEqual([])
    expect(existsSync(record.folder)).toBe(false)
  })

  it('that ends at once is believed too', async () => {
    fake.answer([starts(receipt())])
    expect(await launch()).toBe(0)
  })
})

describe('a launch is stopped at once, and says why', () => {
  const other = egressRules({ ...{ mode: 'open', mark: launchId, host: [], resolvers: [], places: [], published: { tcp: [], udp: [] } } })
  it.each<[what: string, left: () => string, why: string]>([
    ['of another sandbox', () => receipt({ sandbox: 'd'.repeat(64) }), 'the rules were put in place for another sandbox'],
    ['of the host’s namespace', () => receipt({ netns: 'net:[1]' }), 'the network is the host’s own'],
    ['of no namespace', () => receipt({ netns: 'mnt:[5]' }), 'the network is the host’s own'],
    ['with an empty table', () => receipt().replace(/table[\s\S]*/, 'table inet paddock {\n}\nend\n'), 'the kernel lists no such rules'],
    ['with an open policy', () => receipt().replaceAll('policy drop', 'policy accept'), 'the chain input is not as it should be'],
    ['with rules of another launch', () => receipt().replaceAll(launchId, launchId.replaceAll('1', '9')), 'the chain input is not as it should be'],
    ['with a rule too many', () => receipt().replace('\t\tgoto refuse', '\t\taccept\n\t\tgoto refuse'), 'the chain input is not as it should be'],
    ['with one rule missing', () => receipt().replace('\t\treject with icmpx admin-prohibited\n', ''), 'the chain refuse is not as it should be'],
    ['with wider rules', () => receipt({ rules: other }), 'the chain input is not as it should be'],
    ['that says anything', () => 'fine, all good\nend\n', 'it left no readable receipt'],
  ])('a receipt %s', async (_what, left, why) => {
    fake.answer([runs(left()), rm()])
    const error = await launch().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ report: { code: expect.stringMatching(/^egress-/), message: expect.stringContaining(why), command: [fake.path, 'run', '--env=API_TOKEN=***', 'img'] } })
    expect(removals()).toEqual([`rm --force --ignore --time 0 ${id}`])
    expect(existsSync(record.folder)).toBe(false)
  })

  it('without a receipt, when its entrypoint reports', async () => {
    fake.answer([runs('', 'a boot id\n'), rm()])
    await expect(launch()).rejects.toMatchObject({ report: { code: 'egress-broken', message: expect.stringContaining('did not run the hook') } })
    expect(removals()).toHaveLength(1)
  })

  it('with half a receipt, when its entrypoint reports', async () => {
    fake.answer([runs(receipt().slice(0, -10), 'a boot id\n'), rm()])
    await expect(launch()).rejects.toMatchObject({ report: { code: 'egress-broken' } })
    expect(removals()).toHaveLength(1)
  })

  it('without a receipt or a report, when Podman says that it runs', async () => {
    fake.answer([runs(''), inspected('running'), rm()])
    await expect(launch()).rejects.toMatchObject({ report: { code: 'egress-broken' } })
    expect(removals()).toHaveLength(1)
  })

  it('without a receipt or a report, when Podman does not say what it does', { timeout: 15_000 }, async () => {
    fake.answer([runs(''), { on: '^container inspect', exit: 126 }, rm()])
    await expect(launch()).rejects.toMatchObject({ report: { code: 'egress-broken' } })
    expect(fake.calls().filter(([, verb]) => verb === 'inspect')).toHaveLength(3)
  })

  it('even if Podman fails to at first', async () => {
    fake.answer([runs(receipt({ netns: 'net:[1]' })), { on: '^rm ', exit: 2, times: 3 }, rm()])
    await expect(launch()).rejects.toMatchObject({ report: { code: 'egress-broken', message: expect.stringContaining('was stopped') } })
    expect(removals()).toHaveLength(4)
  })

  it('and says so where Podman never does', async () => {
    fake.answer([starts(receipt({ netns: 'net:[1]' }), { until: file('detached') }), { on: '^rm ', exit: 2 }, { on: '' }])
    const ended = launch().catch((error: unknown) => error)
    await eventually(() => expect(removals().length).toBeGreaterThan(1))
    writeFileSync(file('detached'), '')
    expect(await ended).toMatchObject({ report: { code: 'egress-broken', message: expect.stringContaining('should be stopped, and Podman failed to'), hint: expect.stringContaining(`podman rm --force ${id}`) } })
  })

  it('whose rules cannot be noted', async () => {
    symlinkSync('/nonexistent/egress', record.egressFile)
    fake.answer([runs(receipt()), rm()])
    await expect(launch()).rejects.toMatchObject({ report: { code: 'egress-broken', message: expect.stringContaining('could not note') } })
  })

  it('that ended before anybody looked, without a receipt', async () => {
    fake.answer([starts(''), rm()])
    await expect(launch()).rejects.toMatchObject({ report: { code: 'egress-broken' } })
    expect(removals()).toHaveLength(1)
    expect(existsSync(record.folder)).toBe(false)
  })
})

it('a slow start is waited for', async () => {
  fake.answer([starts('', { until: file('seen') }), inspected('created', never)])
  const ended = launch()
  await eventually(() => expect(hasAsked('container inspect')).toBe(true))
  writeFileSync(record.receiptFile, receipt())
  await eventually(() => expect(existsSync(record.egressFile)).toBe(true))
  writeFileSync(file('seen'), '')
  expect(await ended).toBe(0)
  expect(removals()).toEqual([])
})

describe('a sandbox that ended before anybody looked', () => {
  const gone: Rule = { on: '^container inspect', stderr: 'Error: no such container\n', exit: 125 }
  const events = (...statuses: string[]): Rule => ({ on: `^events --stream=false .*container=${id}`, stdout: statuses.map((status) => `${status}\n`).join('') })
  const exists: Rule = { on: '^container exists', exit: 1 }

  it.each<[exit: number, what: string, rules: () => Rule[]]>([
    [125, 'Podman failed', () => []],
    [126, 'it is still there', () => [inspected('created', never)]],
    [127, 'Podman logged no start', () => [gone, events('create', 'init', 'died', 'remove')]],
    [130, 'Podman logged no start', () => [gone, events('create', 'remove')]],
  ])('needs no rules if it did not start: exit %i, and %s', async (exit, _what, rules) => {
    fake.answer([starts('', { exit }), ...rules(), exists, rm()])
    expect(await launch()).toBe(exit)
  })

  it.each<[exit: number, what: string, rules: () => Rule[]]>([
    [1, 'that is a code of its own', () => []],
    [126, 'it is still there', () => [inspected('exited')]],
    [127, 'Podman logged its start', () => [gone, events('create', 'init', 'start', 'died', 'remove')]],
    [127, 'Podman logs nothing', () => [gone, events()]],
    [137, 'Podman logs nothing', () => [gone, { on: '^events', exit: 125 }]],
    [143, 'it runs on', () => [inspected('running')]],
  ])('is told of and removed if it did: exit %i, and %s', async (exit, _what, rules) => {
    fake.answer([starts('', { exit }), ...rules(), exists, rm()])
    await expect(launch()).rejects.toMatchObject({ report: { code: 'egress-broken' } })
    expect(removals()).toHaveLength(1)
  })
})

it('a hook that refused says why', async () => {
  fake.answer([starts('refused nft could not load the rules: Operation not permitted\nend\n', { exit: 126 }), rm()])
  await expect(launch()).rejects.toMatchObject({ report: { code: 'egress-unavailable', message: 'The sandbox was not started: its network rules could not be put in place (nft could not load the rules: Operation not permitted).' } })
})
