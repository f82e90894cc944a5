import { mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { InspectedContainer } from '../engine/containers.ts'
import { createLaunchRecord, type LaunchRecord, launchRecord } from '../sandboxes/launch-record.ts'
import { enforcedEgress } from './enforced-egress.ts'

const id = 'c'.repeat(64)
let root: string
let record: LaunchRecord
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'egress-test-'))
  record = launchRecord(root, '11111111-2222-4333-8444-555555555555')!
  await createLaunchRecord(record, null)
  writeFileSync(record.cidFile, `${id}\n`)
})
afterEach(() => rmSync(root, { recursive: true }))

const own = readlinkSync('/proc/self/ns/net')
const note = (netns: string, mode = 'open') => writeFileSync(record.egressFile, JSON.stringify({ mode, netns }))
const container = (words: string, state: object = {}): InspectedContainer => ({
  Id: id, ImageName: 'x', OCIRuntime: 'crun', State: { Status: 'running', StartedAt: new Date().toISOString(), Pid: process.pid, ...state }, Mounts: [],
  BoundingCaps: [],
  Config: { CreateCommand: ['podman', '--hooks-dir=/x', 'run', ...words.split(' '), 'IMAGE'] }, NetworkSettings: {},
})
const held = (words = '--network pasta', state: object = {}) => enforcedEgress(record, container(words, state))

it('is what the launcher noted of the namespace that the sandbox is in', async () => {
  note(own, 'allowlist')
  expect(await held()).toBe('allowlist')
})

it('is not that of a sandbox that was started again: it is in another namespace', async () => {
  note('net:[1]')
  expect(await held()).toBe('unenforced')
})

it('is judged by the time where the namespace cannot be looked at', async () => {
  note('net:[1]')
  const absent = { Pid: 2 ** 30 }
  expect(await held('--network pasta', absent)).toBe('open')
  expect(await held('--network pasta', { ...absent, StartedAt: new Date(Date.now() + 60_000).toISOString() })).toBe('unenforced')
})

it('is not that of a sandbox that was started again into a namespace of the same number', async () => {
  const first = new Date(Date.now() - 5_000).toISOString()
  note(own)
  expect(await held('--network pasta', { StartedAt: new Date(Date.now() + 60_000).toISOString() })).toBe('unenforced')
  writeFileSync(record.startFile, first)
  expect(await held('--network pasta', { StartedAt: first })).toBe('open')
  expect(await held()).toBe('unenforced')
  expect(await held('--network pasta', { StartedAt: new Date(Date.parse(first) + 1).toISOString(), Pid: 2 ** 30 })).toBe('unenforced')
})

it('counts from the noted start, however late the sandbox came up', async () => {
  const late = new Date(Date.now() + 60_000).toISOString()
  note(own)
  writeFileSync(record.startFile, late)
  expect(await held('--network pasta', { StartedAt: late })).toBe('open')
})

it.each(['--cap-add NET_ADMIN', '--cap-add net_raw', '--privileged', '--network pasta:-T,auto'])('is nothing where the sandbox has a way past the rules: %s', async (words) => {
  note(own)
  expect(await held(words)).toBe('unenforced')
  note(own, 'deny')
  expect(await held(words)).toBe('deny')
})

it('is nothing where Podman gives a capability that nobody asked for', async () => {
  note(own)
  const given = (BoundingCaps: string[]) => enforcedEgress(record, { ...container('--network pasta'), BoundingCaps })
  expect(await given(['CAP_CHOWN', 'CAP_NET_RAW'])).toBe('unenforced')
  expect(await given(['CAP_CHOWN', 'CAP_NET_BIND_SERVICE'])).toBe('open')
})

it('is not that of another sandbox, which borrowed the label', async () => {
  note(own)
  writeFileSync(record.cidFile, 'd'.repeat(64))
  expect(await held()).toBe('unenforced')
})

it.each(['', '{', '{"mode":"wide","netns":"net:[1]"}'])('is nothing where the note says %j', async (text) => {
  writeFileSync(record.egressFile, text)
  expect(await held()).toBe('unenforced')
})

it('is deny without a network, whoever started it', async () => {
  expect(await enforcedEgress(null, container('--network none'))).toBe('deny')
  expect(await enforcedEgress(null, container('--network pasta'))).toBe('unenforced')
  expect(await enforcedEgress(null, container('--rm'))).toBe('unenforced')
})
