import { describe, expect, it } from 'vitest'
import { capsInWords, durationInWords, profileInWords, profileStateInWords, sizeInWords } from './words.ts'
import type { ProfileStatus } from './profile.ts'

const profile: ProfileStatus = {
  name: 'web', image: 'localhost/paddock:web', source: 'user', state: 'stale', file: '', base: null, reasons: ['The Containerfile changed.'], runnable: true, findings: [], error: null,
  caps: { ramMib: 8192, cpus: 4, tmpSize: '2048m', pids: 1024 },
}

describe('caps', () => {
  it('are figures that people read', () => expect(capsInWords(profile.caps)).toBe('8 GiB · 4 vCPU · /tmp 2 GiB · 1024 processes'))
  it('leave out what the label does not set', () => expect(capsInWords({ ramMib: null, cpus: 2, tmpSize: null, pids: null })).toBe('2 vCPU'))
  it('keep a size that is spelled in no known way', () => expect(capsInWords({ ramMib: null, cpus: null, tmpSize: '50%', pids: null })).toBe('/tmp 50%'))
})

describe('sizes', () => {
  it.each([[0, '0 MiB'], [1.5 * 1024 ** 2, '1.5 MiB'], [300 * 1024 ** 2, '300 MiB'], [1.25 * 1024 ** 3, '1.3 GiB'], [64 * 1024 ** 3, '64 GiB']])('%d bytes are %s', (bytes, words) => {
    expect(sizeInWords(bytes)).toBe(words)
  })
})

describe('durations', () => {
  it.each([[-5, '0 s'], [42_900, '42 s'], [60_000, '1 min'], [8_040_000, '2 h 14 min']])('%d ms are %s', (ms, words) => {
    expect(durationInWords(ms)).toBe(words)
  })
})

describe('a profile', () => {
  it('is told with its state, its reasons and its caps', () => {
    expect(profileInWords(profile)).toEqual(['stale', 'The Containerfile changed.', '8 GiB · 4 vCPU · /tmp 2 GiB · 1024 processes', 'Your own'])
  })
  it('that is broken tells its error instead of the reasons', () => {
    expect(profileStateInWords({ ...profile, error: 'No label.' })).toBe('broken')
    expect(profileInWords({ ...profile, error: 'No label.' }).slice(0, 2)).toEqual(['broken', 'No label.'])
  })
  it('counts its findings', () => {
    expect(profileInWords({ ...profile, findings: [{ level: 'high', rule: 'privileged', message: 'All power.' }] })).toContain('1 finding')
  })
})
