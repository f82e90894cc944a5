import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Progress } from '../../../../shared/contract/contract.ts'
import type { Sandbox } from '../../../../shared/domain/sandbox.ts'
import { startTicksOf } from '../../process/start-ticks.ts'
import { createProxyKeeper } from './keep-proxy.ts'
import { type ProxyPlace, proxyPlace } from './proxy-place.ts'

let place: ProxyPlace
let started: number
let said: Progress[]
const context = { signal: new AbortController().signal, onProgress: (progress: Progress) => void said.push(progress) }
const sandbox = (egress: Sandbox['egress'], state = 'running') => ({ egress, state }) as Sandbox
const keeper = (sandboxes: Sandbox[], ensure: () => Promise<void> = async () => void started++) => createProxyKeeper({ place, list: async () => sandboxes, ensure })

beforeEach(() => {
  place = proxyPlace(mkdtempSync(join(tmpdir(), 'paddock-keep-')))
  mkdirSync(place.policiesFolder)
  writeFileSync(join(place.policiesFolder, '20001'), 'launch x\nend\n')
  started = 0
  said = []
})
afterEach(() => rmSync(place.folder, { recursive: true, force: true }))

it('starts a proxy that is gone while a sandbox needs it', async () => {
  await keeper([sandbox('open'), sandbox('allowlist')])(context)
  expect(started).toBe(1)
})

it('leaves one that runs alone, and takes one of another process for gone', async () => {
  const running = (startTicks: string) => writeFileSync(place.runningFile, JSON.stringify({ id: 'x', pid: process.pid, startTicks, ports: [20_001] }))
  running(startTicksOf(process.pid)!)
  await keeper([sandbox('allowlist')])(context)
  expect(started).toBe(0)
  running('1')
  await keeper([sandbox('allowlist')])(context)
  expect(started).toBe(1)
})

it('starts none that no sandbox needs', async () => {
  await keeper([sandbox('open'), sandbox('allowlist', 'exited')])(context)
  rmSync(join(place.policiesFolder, '20001'))
  await keeper([sandbox('allowlist')])(context)
  expect(started).toBe(0)
})

it('says why it could not, and does not ask Podman again at once', async () => {
  const keep = keeper([sandbox('allowlist')], async () => {
    started++
    throw new Error('no room')
  })
  await keep(context)
  await keep(context)
  expect(started).toBe(1)
  expect(said).toEqual([{ kind: 'warning', text: expect.stringMatching(/is gone, and so they reach nothing: .*no room/) }])
})
