import { describe, expect, it } from 'vitest'
import { decideIsolation } from './decide-isolation.ts'
import { type MicrovmFacts, microvmObstacle, mustAvoidPasst } from './microvm.ts'

const withKrun = 'crun version 1.27.1\ncommit: abc\n+SYSTEMD +SELINUX +LIBKRUN +WASM:wasmedge +YAJL'
const withoutKrun = 'crun version 1.21\ncommit: abc\n+SYSTEMD +SELINUX +APPARMOR +CAP +SECCOMP +EBPF +CRIU +WASM:wasmedge +YAJL'
const able: MicrovmFacts = { krunVersion: withKrun, kvm: 'open', passtVersion: 'passt 2025_01_21.4f2c8e7' }

describe('microvmObstacle', () => {
  it.each<[Partial<MicrovmFacts>, string | null, RegExp | null]>([
    [{}, null, null],
    [{ krunVersion: null }, 'krun is not installed', /crun-krun \(Fedora\), krun \(Arch\)/],
    [{ krunVersion: withoutKrun }, 'the installed krun was built without libkrun and would start a plain container', /Debian and Ubuntu ship no crun with libkrun/],
    [{ krunVersion: '' }, 'the installed krun was built without libkrun and would start a plain container', /crun-krun/],
    [{ kvm: 'missing' }, 'this host has no /dev/kvm', /nested virtualisation/],
    [{ kvm: 'denied' }, 'you may not open /dev/kvm', /usermod --append --groups kvm/],
    [{ krunVersion: null, kvm: 'missing' }, 'krun is not installed', /Install/],
    [{ krunVersion: withoutKrun, kvm: 'denied' }, 'the installed krun was built without libkrun and would start a plain container', /Install/],
    [{ passtVersion: null }, null, null],
  ])('%j: %s', (changed, why, fix) => {
    const obstacle = microvmObstacle({ ...able, ...changed })
    expect(obstacle?.why ?? null).toBe(why)
    if (fix) expect(obstacle!.fix).toMatch(fix)
  })
})

describe('mustAvoidPasst', () => {
  it.each([
    ['crun version 1.27.1', 'passt 2026_10_01.abc', true],
    ['crun version 1.29', 'passt 2026_12_24', true],
    ['crun version 0.99', 'passt 2026_10_01', true],
    ['crun version 1.30', 'passt 2026_10_01', false],
    ['crun version 2.0', 'passt 2027_01_01', false],
    ['crun version 1.27.1', 'passt 2026_09_30', false],
    ['crun version 1.27.1', 'passt 2025_01_21', false],
    ['crun version 1.27.1', 'passt of an unknown date', false],
    ['something else', 'passt 2026_10_01', false],
    [null, 'passt 2026_10_01', false],
    ['crun version 1.30', null, true],
  ])('%s with %s: %s', (krunVersion, passtVersion, expected) => {
    expect(mustAvoidPasst({ ...able, krunVersion, passtVersion })).toBe(expected)
  })
})

describe('decideIsolation', () => {
  it.each([
    ['container', 'microvm', 'krun', 'container'],
    ['microvm', 'container', 'crun', 'microvm'],
    [undefined, 'container', 'krun', 'container'],
    [undefined, 'microvm', 'crun', 'microvm'],
    [undefined, undefined, 'krun', 'microvm'],
    [undefined, undefined, 'crun', 'container'],
    [undefined, undefined, undefined, 'container'],
  ] as const)('flag %s, setting %s, label %s: %s', (flag, setting, runtime, expected) => {
    expect(decideIsolation({ flag, setting, runtime })).toBe(expected)
  })
})
