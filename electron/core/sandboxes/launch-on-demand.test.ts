import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFakePodman, type FakePodman, type Rule } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import { listingOf } from '../../../e2e/fixtures/nft-listing.ts'
import type { LaunchPlan } from '../../../shared/contract/contract.ts'
import { egressRules } from '../../../shared/domain/egress-rules.ts'
import { createEgressFiles, createLaunchRecord, type LaunchRecord, launchRecord } from './launch-record.ts'
import { launchOnDemand } from './launch-on-demand.ts'

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

const launch = () => {
  const plan: LaunchPlan = { launchId, profile: 'minimal', project: '/work', isolation: 'container', egress: 'deny', rules: { expected, hostNetns: 'net:[1]' }, proxyPort: null, command: fake.podman.command(['run', 'img']), findings: [], notes: [], weaknesses: [] }
  return launchOnDemand(fake.podman, launches, plan)
}
const removed = () => join(fake.folder, 'removed')
/** A sandbox that runs until it is removed, with rules in this namespace. */
const runs = (netns: string): Rule[] => [
  { on: '^run ', until: removed(), writes: { [record.cidFile]: `${id}\n`, [record.receiptFile]: `netns ${netns}\nstate {"id":"${id}"}\n${listingOf(expected)}\nend\n` } },
  { on: '^container inspect', stdout: JSON.stringify([{ Id: id, ImageName: 'x', OCIRuntime: 'crun', State: { Status: 'running', StartedAt: '2026-11-30T01:02:03Z' }, Mounts: [], Config: {}, NetworkSettings: {} }]) },
  { on: '^rm ', writes: { [removed()]: '' } },
]

it('gives the sandbox once its rules are in place', async () => {
  fake.answer(runs('net:[2]'))
  expect(await launch()).toBe(id)
  await fake.podman.run(['rm', id])
})

it.each(['net:[1]', 'net:[2]'])('does not wait for a sandbox that is stopped, since its rules are wrong or cannot be noted: %s', async (netns) => {
  symlinkSync('/nonexistent/egress', record.egressFile)
  fake.answer(runs(netns))
  await expect(launch()).rejects.toMatchObject({ report: { code: 'egress-broken' } })
  expect(existsSync(removed())).toBe(true)
  expect(existsSync(record.folder)).toBe(false)
})
