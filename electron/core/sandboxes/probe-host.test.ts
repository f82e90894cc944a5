import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakePodman, type FakePodman, recording } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import { unenforcedNote } from './cgroup-limits.ts'
import { probeMicrovm } from './probe-microvm.ts'

let fake: FakePodman
beforeEach(() => {
  fake = createFakePodman()
})
afterEach(() => fake.remove())

describe('probeMicrovm', () => {
  /** Podman's answer about its runtime, with pasta in a folder of the test's own. */
  function info(version: string) {
    const told = JSON.parse(recording('info.json'))
    told.host.ociRuntime.version = version
    told.host.pasta.executable = join(fake.folder, 'bin/pasta')
    return JSON.stringify(told)
  }
  function passt(script: string) {
    mkdirSync(join(fake.folder, 'bin'))
    writeFileSync(join(fake.folder, 'bin/passt'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  const device = () => join(fake.folder, 'kvm')
  const probe = () => probeMicrovm(fake.podman, device())

  it('asks Podman which program krun is, the passt beside its pasta, and opens the device', async () => {
    passt('echo "passt 2025_01_21.abc"')
    writeFileSync(device(), '')
    fake.answer([{ on: '^--runtime krun info', stdout: info('crun version 1.30\n+LIBKRUN') }])
    expect(await probe()).toEqual({ krunVersion: 'crun version 1.30\n+LIBKRUN', kvm: 'open', passtVersion: 'passt 2025_01_21.abc\n' })
  })

  it('finds nothing where there is nothing', async () => {
    fake.answer([{ on: '^--runtime', stderr: { recording: 'runtime-missing.stderr' }, exit: 125 }, { on: '^info', stdout: info('crun') }])
    expect(await probe()).toEqual({ krunVersion: null, kvm: 'missing', passtVersion: null })
  })

  it('takes a passt that fails, or a Podman that does not answer, for none', async () => {
    passt('echo "passt 2025_01_21"; exit 1')
    fake.answer([{ on: '', exit: 125 }])
    expect(await probe()).toMatchObject({ krunVersion: null })
    fake.answer([{ on: 'info', stdout: info('crun') }])
    expect(await probe()).toMatchObject({ passtVersion: null })
  })

  it('does not take a device that is there for one that may be opened', async () => {
    // A folder cannot be opened for writing, whoever asks; a file of mode 0 only stops who is not root.
    fake.answer([{ on: '', exit: 125 }])
    mkdirSync(device())
    chmodSync(device(), 0o700)
    expect(await probe()).toMatchObject({ kvm: 'denied' })
  })
})

describe('unenforcedNote', () => {
  it.each([
    [[], false, null],
    [['ramMib', 'cpus', 'pids'], false, 'memory, CPU, process'],
    [['ramMib', 'cpus', 'pids'], true, 'process'],
    [['ramMib', 'cpus'], true, null],
    [['pids'], false, 'process'],
  ] as const)('%j, microVM %s: %s', (open, isMicrovm, named) => {
    const note = unenforcedNote(open, isMicrovm)
    if (named === null) expect(note).toBeNull()
    else expect(note).toContain(`cannot enforce the ${named} limit`)
  })
})
