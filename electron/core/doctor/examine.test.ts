import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakePodman, type FakePodman, recording } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import type { MicrovmFacts } from '../../../shared/domain/microvm.ts'
import type { PodmanInfo } from '../engine/info.ts'
import { createPodman } from '../engine/podman.ts'
import { findPaths } from '../store/paths.ts'
import { checkContainerHost, checkSubids } from './checks/account.ts'
import { checkKrun, checkKvm, checkPasst } from './checks/microvm.ts'
import { checkNetavark, checkNft, checkPasta } from './checks/network.ts'
import { checkPodman } from './checks/podman.ts'
import { checkRuntime } from './checks/runtime.ts'
import { checkBaseImage, checkDisk, checkSocket } from './checks/storage.ts'
import { examine } from './examine.ts'
import type { HealthCheck, Patient } from './health.ts'

let fake: FakePodman
beforeEach(() => {
  fake = createFakePodman([{ on: '' }])
})
afterEach(() => fake.remove())
type Change = (info: PodmanInfo) => void
const able: MicrovmFacts = { krunVersion: 'crun version 1.30\n+LIBKRUN', kvm: 'open', passtVersion: 'passt 2025_01_21\nCopyright' }
function patient(change: Change | null = () => {}, changed: Partial<Patient> = {}): Patient {
  const info = JSON.parse(recording('info.json')) as PodmanInfo
  info.store.graphRoot = fake.folder
  change?.(info)
  return { podman: fake.podman, info: change ? info : null, infoError: change ? null : 'Podman failed: no.', microvm: able, settings: {}, paths: findPaths({}), environment: {}, ...changed }
}
const withMicrovm = (changed: Partial<MicrovmFacts>, changedPatient: Partial<Patient> = {}) => patient(undefined, { microvm: { ...able, ...changed }, ...changedPatient })

describe('each check', () => {
  it.each<[what: string, check: HealthCheck, of: () => Patient, status: string, found: RegExp, fix: RegExp | null]>([
    ['a good Podman', checkPodman, () => patient(), 'ok', /^5\.4\.2, rootless, /, null],
    ['an old Podman', checkPodman, () => patient((i) => (i.version.Version = '4.9.3')), 'fail', /4\.9\.3 .* too old/, /Podman 5 or later/],
    ['Podman 10', checkPodman, () => patient((i) => (i.version.Version = '10.0.0')), 'ok', /^10\.0\.0/, null],
    ['Podman as root', checkPodman, () => patient((i) => (i.host.security.rootless = false)), 'fail', /runs as root/, /ordinary user/],
    ['no Podman', checkPodman, () => patient(null), 'fail', /Podman failed: no\./, /npm run host/],
    ['crun', checkRuntime, () => patient(), 'ok', /^crun version 1\.21, /, null],
    ['runc', checkRuntime, () => patient((i) => (i.host.ociRuntime.name = 'runc')), 'warn', /uses runc/, /Install crun/],
    ['no runtime', checkRuntime, () => patient(null), 'fail', /names no OCI runtime/, /Install crun/],
    ['krun', checkKrun, () => patient(), 'ok', /with libkrun/, null],
    ['no krun', checkKrun, () => withMicrovm({ krunVersion: null }), 'fail', /not installed/, /crun-krun.*PADDOCK_ISOLATION=container/],
    ['krun without libkrun', checkKrun, () => withMicrovm({ krunVersion: 'crun version 1.21\n+SECCOMP' }), 'fail', /plain container/, /PADDOCK_ISOLATION=container/],
    ['no krun where containers are chosen', checkKrun, () => withMicrovm({ krunVersion: null }, { settings: { isolation: 'container' } }), 'warn', /not installed/, /./],
    ['/dev/kvm', checkKvm, () => patient(), 'ok', /opened for reading and writing/, null],
    ['no /dev/kvm', checkKvm, () => withMicrovm({ kvm: 'missing' }), 'fail', /no \/dev\/kvm/, /firmware/],
    ['/dev/kvm of others', checkKvm, () => withMicrovm({ kvm: 'denied' }), 'fail', /may not open/, /usermod/],
    ['no /dev/kvm where containers are chosen', checkKvm, () => withMicrovm({ kvm: 'missing' }, { settings: { isolation: 'container' } }), 'warn', /./, /./],
    ['passt', checkPasst, () => patient(), 'ok', /^passt 2025_01_21$/, null],
    ['no passt', checkPasst, () => withMicrovm({ passtVersion: null }), 'warn', /not found/, /Install passt/],
    ['a strict passt and an old crun', checkPasst, () => withMicrovm({ passtVersion: 'passt 2026_10_01', krunVersion: 'crun version 1.27 +LIBKRUN' }), 'warn', /does not work with krun\.use_passt=1/, /crun to 1\.30/],
    ['pasta', checkPasta, () => patient(), 'ok', /pasta$/, null],
    ['no pasta', checkPasta, () => patient((i) => (i.host.pasta = null)), 'fail', /finds no pasta/, /Install passt/],
    ['an empty pasta', checkPasta, () => patient((i) => (i.host.pasta = { executable: '', version: '' })), 'fail', /finds no pasta/, /Install passt/],
    ['netavark', checkNetavark, () => patient(), 'ok', /network backend/, null],
    ['cni', checkNetavark, () => patient((i) => (i.host.networkBackend = 'cni')), 'warn', /is cni/, /Install netavark/],
    ['subordinate ids', checkSubids, () => patient(), 'ok', /^65536 for this account/, null],
    ['no subordinate ids', checkSubids, () => patient((i) => (i.host.idMappings = null)), 'fail', /^0 for this account/, /add-subuids/],
    ['too few subordinate ids', checkSubids, () => patient((i) => (i.host.idMappings = { uidmap: [{ size: 1 }, { size: 1000 }] })), 'fail', /^1000 for this account/, /add-subuids/],
    ['CONTAINER_HOST', checkContainerHost, () => patient(undefined, { environment: { CONTAINER_HOST: 'x', CONTAINER_CONNECTION: 'y' } }), 'warn', /CONTAINER_HOST and CONTAINER_CONNECTION set, and ignored/, /this machine only/],
    ['no CONTAINER_HOST', checkContainerHost, () => patient(undefined, { environment: { CONTAINER_HOST: '' } }), 'ok', /not set/, null],
    ['no socket', checkSocket, () => patient((i) => (i.host.remoteSocket = { path: '/no/such.sock' })), 'ok', /not running; the command does not need it/, null],
    ['a socket', checkSocket, () => patient((i) => (i.host.remoteSocket = { path: `unix://${fake.path}` })), 'ok', /podman$/, null],
    ['the base image without Podman', checkBaseImage, () => patient(null), 'fail', /unknown without Podman/, /See above/],
    ['a disk', checkDisk, () => patient(), expect.stringMatching(/ok|warn|fail/) as never, /GiB free in /, null],
  ])('%s', async (_what, check, of, status, found, fix) => {
    const result = await check(of())
    expect(result).toMatchObject({ status, found: expect.stringMatching(found) })
    if (fix) expect(result.fix).toMatch(fix)
    else if (result.status === 'ok') expect(result.fix).toBeNull()
  })

  it('a base image that is there, and one that is not', async () => {
    fake.answer([{ on: '^image inspect localhost/paddock:minimal$', stdout: { recording: 'image-inspect.json' } }, { on: '^image inspect', stdout: '[]', stderr: { recording: 'image-missing.stderr' }, exit: 125 }])
    expect(await checkBaseImage(patient(undefined, { settings: { baseImage: 'localhost/paddock:minimal' } }))).toMatchObject({ status: 'ok', found: 'localhost/paddock:minimal' })
    expect(await checkBaseImage(patient(undefined, { settings: { baseImage: 'fedora:42' } }))).toMatchObject({ status: 'ok', found: 'fedora:42 is pulled at the first build' })
  })

  describe('nft', () => {
    const place = (mode = 0o755) => writeFileSync(join(fake.folder, 'nft'), '#!/bin/sh\n', { mode })

    it('is found beside a private Podman, and loads rules in a namespace of its own', async () => {
      place()
      fake.answer([{ on: '^unshare unshare --net .*/nft --file -$' }])
      expect(await checkNft(patient())).toEqual({ name: 'nft', status: 'ok', found: expect.stringContaining(join(fake.folder, 'nft')), fix: null })
    })

    it('that the kernel refuses keeps sandboxes from starting', async () => {
      place()
      fake.answer([{ on: '^unshare ', stderr: 'netlink: Error: cache initialization failed: Operation not permitted\n', exit: 1 }])
      expect(await checkNft(patient())).toMatchObject({ status: 'fail', found: expect.stringContaining('Operation not permitted'), fix: expect.stringContaining('no sandbox starts') })
    })
  })
})

describe('examine', () => {
  const ask = (podman = fake.podman) => examine({ podman, settings: {}, paths: findPaths({}), environment: {} })
  const names = ['Podman', 'crun', 'krun', '/dev/kvm', 'passt', 'pasta', 'netavark', 'nft', 'socat', 'Subordinate ids', '/dev/net/tun', 'Control groups', 'Limits', 'Socket', 'Disk', 'Base image', 'CONTAINER_HOST']

  it('asks every question in order, and knows a krun that was built without libkrun', async () => {
    fake.answer([
      { on: 'info --format json$', stdout: { recording: 'info.json' } },
      { on: '^image inspect', stdout: '[]', stderr: { recording: 'image-missing.stderr' }, exit: 125 },
    ])
    const checks = await ask()
    expect(checks.map(({ name }) => name)).toEqual(names)
    expect(checks[2]).toMatchObject({ status: 'fail', found: expect.stringContaining('without libkrun') })
    expect(checks.filter(({ status, fix }) => (status === 'ok') !== (fix === null))).toEqual([])
  })

  it.each([
    ['is not there', () => createPodman('/no/such/podman'), /Podman cannot be started/],
    ['fails', () => fake.podman, /Podman failed: nothing works/],
  ])('answers every question when Podman %s, in its place', async (_what, podman, found) => {
    fake.answer([{ on: '', exit: 125, stderr: 'Error: nothing works\n' }])
    const checks = await ask(podman())
    expect(checks.map(({ name }) => name)).toEqual(names)
    expect(checks[0]).toMatchObject({ status: 'fail', found: expect.stringMatching(found) })
  })

  it('reports a check that breaks as failed, in its place', async () => {
    const info = JSON.parse(recording('info.json'))
    info.store.graphRoot = '/no/such/folder'
    fake.answer([{ on: 'info', stdout: JSON.stringify(info) }, { on: '^image', exit: 125, stderr: 'Error: database is locked\n' }])
    const checks = await ask()
    expect(checks.map(({ name }) => name)).toEqual(names)
    expect(checks.find(({ name }) => name === 'Disk')).toMatchObject({ status: 'fail', found: expect.stringContaining('could not be checked') })
    expect(checks.find(({ name }) => name === 'Base image')).toMatchObject({ status: 'fail', found: expect.stringContaining('database is locked') })
  })
})
