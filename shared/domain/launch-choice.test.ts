import { describe, expect, it } from 'vitest'
import { another, chooseLaunch, isolationNote, weaknessInWords } from './launch-choice.ts'
import type { ProfileStatus } from './profile.ts'

const profile: ProfileStatus = {
  name: 'default', image: 'localhost/paddock:latest', source: 'bundled', state: 'fresh', file: '', base: null, reasons: [], runnable: true, findings: [], error: null,
  caps: { ramMib: null, cpus: null, tmpSize: null, pids: null },
}
const obstacle = { why: 'this host has no /dev/kvm', fix: 'Switch it on.' }

describe('chooseLaunch', () => {
  it('says what the button gives', () => {
    expect(chooseLaunch(profile, {}, null)).toEqual({ kind: 'launch', isolation: 'microvm', needsBuild: false, label: 'Launch in microVM' })
    expect(chooseLaunch({ ...profile, state: 'missing' }, {}, null).label).toBe('Build and launch in microVM')
    expect(chooseLaunch({ ...profile, state: 'stale' }, { isolation: 'container' }, null)).toMatchObject({ needsBuild: true, label: 'Rebuild and launch in container' })
  })
  it('asks before it gives less than a microVM, and only then', () => {
    expect(chooseLaunch(profile, {}, obstacle)).toEqual({ kind: 'ask-isolation', ...obstacle, label: 'Launch in container…' })
    expect(chooseLaunch(profile, { isolation: 'container' }, obstacle).kind).toBe('launch')
  })
  it('takes a profile that names another runtime as a container', () => {
    const findings: ProfileStatus['findings'] = [{ level: 'low', rule: 'runtime', message: 'It names runc.' }]
    expect(chooseLaunch({ ...profile, findings }, {}, obstacle)).toMatchObject({ kind: 'launch', isolation: 'container' })
  })
  it('wants an explicit yes to a high finding', () => {
    const findings: ProfileStatus['findings'] = [{ level: 'high', rule: 'privileged', message: 'All power.' }]
    expect(chooseLaunch({ ...profile, findings }, {}, null)).toMatchObject({ kind: 'ask-findings', label: 'Launch in microVM…' })
  })
  it.each([
    ['that is gone', undefined, 'does not exist'],
    ['that is broken', { ...profile, error: 'No label.' }, 'No label.'],
    ['that is only built on', { ...profile, runnable: false }, 'Other profiles build on it'],
    ['that the proxy is made of', { ...profile, name: 'egress', runnable: false }, 'proxy of sandboxes'],
  ])('does not launch a profile %s', (_what, candidate, why) => {
    expect(chooseLaunch(candidate, {}, null)).toMatchObject({ kind: 'impossible', why: expect.stringContaining(why) })
  })
})

describe('isolationNote', () => {
  it('names the default, and what a host without microVMs makes of it', () => {
    expect(isolationNote({}, null)).toBe('A kernel of its own for each sandbox.')
    expect(isolationNote({}, obstacle)).toContain('has no /dev/kvm: each launch asks')
    expect(isolationNote({ isolation: 'microvm' }, null)).toBe('A kernel of its own for each sandbox.')
    expect(isolationNote({ isolation: 'container' }, obstacle)).toContain('kernel')
  })
})

describe('weaknessInWords', () => {
  it('says why a sandbox is less than a microVM', () => {
    expect(weaknessInWords('microvm', {}, null)).toBeNull()
    expect(weaknessInWords('container', {}, obstacle)).toContain('this host has no /dev/kvm. Switch it on.')
    expect(weaknessInWords('container', { isolation: 'container' }, null)).toContain('Your settings')
    expect(weaknessInWords('container', {}, null)).toContain('at its launch')
    expect(weaknessInWords('unverified', {}, null)).toContain('could not be measured')
  })
})

it.each([
  ['Launch in microVM', 'Launch another in microVM'],
  ['Rebuild and launch in container…', 'Rebuild and launch another in container…'],
  ['Launch', 'Launch'],
])('%s, beside one that runs: %s', (label, expected) => {
  expect(another(label)).toBe(expected)
})
