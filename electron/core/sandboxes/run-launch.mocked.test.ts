import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakePodman, type FakePodman, type Rule } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import type { LaunchPlan } from '../../../shared/contract/contract.ts'
import { createPodman } from '../engine/podman.ts'
import { createLaunchRecord, type LaunchRecord, launchRecord } from './launch-record.ts'
import { runLaunch } from './run-launch.ts'

const host = '77189030-be50-4e59-883c-1dcc636cd443'
const other = '0c3b5e9a-1111-4222-8333-444455556666'
// The kernel of the machine that runs the tests is the one thing that no fake program can be.
vi.mock('./host-boot-id.ts', () => ({ hostBootId: async () => `${host}\n` }))

const launchId = '11111111-2222-4333-8444-555555555555'
let fake: FakePodman
let launches: string
let record: LaunchRecord
beforeEach(async () => {
  fake = createFakePodman()
  launches = join(fake.folder, 'launches')
  record = launchRecord(launches, launchId)!
  await createLaunchRecord(record, null)
})
afterEach(() => fake.remove())

const plan = (isolation: LaunchPlan['isolation'], command = fake.podman.command(['run', '--env=API_TOKEN=hunter2', 'img'])): LaunchPlan => ({
  launchId, profile: 'minimal', project: '/work', isolation, egress: 'open', rules: null, proxyPort: null, command, findings: [], notes: [], weaknesses: [],
})
const launch = (isolation: LaunchPlan['isolation'], tty = false) => runLaunch(fake.podman, launches, plan(isolation), tty)
/** A sandbox that starts and reports the kernel it sees. */
const reports = (bootId: string, rule: Partial<Rule> = {}): Rule => ({ on: '^run ', writes: { [record.cidFile]: 'c0ffee\n', [record.bootIdFile]: `${bootId}\n` }, ...rule })
const after = () => fake.calls().slice(1).map((args) => args.join(' '))
const exists: Rule = { on: '^container exists' }
const gone: Rule = { on: '^container exists', exit: 1 }
const rm: Rule = { on: '^rm ' }

describe('a sandbox that ends', () => {
  it.each([0, 3, 126, 127])('gives its exit code, %i, and leaves no record', async (exit) => {
    fake.answer([reports(host, { exit })])
    expect(await launch('container')).toBe(exit)
    expect(existsSync(record.folder)).toBe(false)
  })

  it('by a signal, or detached from, keeps its record while it runs on', async () => {
    fake.answer([reports(host, { exit: 143 }), exists])
    expect(await launch('container')).toBe(143)
    expect(existsSync(record.folder)).toBe(true)
    fake.answer([reports(host, { exit: 143 }), gone])
    expect(await launch('container')).toBe(143)
    expect(existsSync(record.folder)).toBe(false)
  })

  it('with a terminal keeps its record when the person only detached', async () => {
    fake.answer([reports(host), exists])
    expect(await launch('container', true)).toBe(0)
    expect(after()).toEqual(['container exists c0ffee'])
    expect(existsSync(record.folder)).toBe(true)
  })
})

describe('a sandbox that does not start', () => {
  it('leaves nothing behind: neither a half-made container nor a record', async () => {
    fake.answer([{ on: '^run ', exit: 125, writes: { [record.cidFile]: 'c0ffee\n' } }, rm])
    expect(await launch('container')).toBe(125)
    expect(after()).toEqual(['rm --force --ignore --time 0 c0ffee'])
    expect(existsSync(record.folder)).toBe(false)
  })

  it('because Podman is gone says so, and leaves no record', async () => {
    const absent = createPodman('/no/such/podman')
    await expect(runLaunch(absent, launches, plan('container', absent.command(['run'])), false)).rejects.toMatchObject({ report: { code: 'podman-missing' } })
    expect(existsSync(record.folder)).toBe(false)
  })
})

describe('a microVM', () => {
  it('with a kernel of its own runs to its end, and is marked as seen', async () => {
    let wasMarked = false
    fake.answer([reports(other, { exit: 3, delayMs: 400 })])
    const watch = setInterval(() => (wasMarked ||= existsSync(record.verifiedFile)), 10)
    expect(await launch('microvm')).toBe(3)
    clearInterval(watch)
    expect(wasMarked).toBe(true)
    expect(after()).toEqual([])
  })

  it('on the host’s kernel is removed at once, and its end is an error without secrets', async () => {
    fake.answer([reports(host, { delayMs: 1_500 }), rm])
    const error = await launch('microvm').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ report: { code: 'isolation-broken', command: [fake.path, 'run', '--env=API_TOKEN=***', 'img'] } })
    expect(after()).toEqual(['rm --force --ignore --time 0 c0ffee'])
    expect(existsSync(record.folder)).toBe(false)
  })

  it('is not believed when it ends at once after such a report', async () => {
    for (let round = 0; round < 5; round++) {
      fake.answer([reports(host), rm])
      await expect(launch('microvm')).rejects.toMatchObject({ report: { code: 'isolation-broken' } })
      await createLaunchRecord(record, null)
    }
  })

  it('that cannot be removed is told as Podman’s failure, after its end and not as a crash', async () => {
    fake.answer([reports(host, { delayMs: 1_000 }), { on: '^rm ', exit: 125, stderr: 'Error: database is locked\n' }])
    await expect(launch('microvm')).rejects.toMatchObject({ report: { code: 'podman-failed' } })
  })

  it('on the host’s kernel is removed as soon as it says so, however late', async () => {
    fake.answer([{ on: '^run ', writes: { [record.cidFile]: 'c0ffee\n' }, delayMs: 7_000 }, rm])
    let removedAfterMs = Infinity
    setTimeout(() => {
      const reported = performance.now()
      writeFileSync(record.bootIdFile, `${host}\n`)
      const watch = setInterval(() => {
        if (after().length === 0) return
        removedAfterMs = performance.now() - reported
        clearInterval(watch)
      }, 10)
    }, 5_500)
    await expect(launch('microvm')).rejects.toMatchObject({ report: { code: 'isolation-broken' } })
    expect(after()).toEqual(['rm --force --ignore --time 0 c0ffee'])
    expect(removedAfterMs).toBeLessThan(1_200)
  })

  it('is not judged by half a report', async () => {
    fake.answer([{ on: '^run ', writes: { [record.cidFile]: 'c0ffee\n', [record.bootIdFile]: host }, delayMs: 200 }])
    expect(await launch('microvm')).toBe(0)
    expect(after()).toEqual([])
  })

  it('without a report is not marked as seen', async () => {
    fake.answer([{ on: '^run ', writes: { [record.cidFile]: 'c0ffee\n' }, exit: 143 }, exists])
    expect(await launch('microvm')).toBe(143)
    expect(existsSync(record.verifiedFile)).toBe(false)
  })
})

it('a container is not judged by its kernel', async () => {
  writeFileSync(record.bootIdFile, `${host}\n`)
  fake.answer([{ on: '^run ' }])
  expect(await launch('container')).toBe(0)
  expect(after()).toEqual([])
})
