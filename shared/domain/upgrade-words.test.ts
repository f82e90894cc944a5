import { describe, expect, it, test } from 'vitest'
import { mayBreak, type PinReport } from './upgrade.ts'
import { copiedByUpgrade, heldBackInWords, pinInWords, upgradeInWords } from './upgrade-words.ts'

const pin = (rest: Partial<PinReport> = {}): PinReport => ({ profile: 'base', npm: 'tool', current: '1.0.0', state: 'current', next: null, held: null, error: null, ...rest })
const next = { version: '1.2.0', integrity: '', ageDays: 10 }
const report = (pins: PinReport[], written: string[] = []) => ({ pins, written, bases: [] })

it.each<[string, string, boolean]>([
  ['1.2.3', '1.3.0', false], ['1.2.3', '2.0.0', true], ['0.9.1', '0.9.2', false], ['0.9.1', '0.10.0', true], ['0.9.1', '1.0.0', true], ['0.0.1', '0.0.2', true], ['9.0.0', '10.0.0', true], ['1.0.0', '1.0.0+build', false],
])('from %s to %s may break what works: %s', (current, version, expected) => {
  expect(mayBreak(current, version)).toBe(expected)
})

describe('a package', () => {
  it.each<[Partial<PinReport>, string, string[]]>([
    [{}, 'up to date', []],
    [{ state: 'newer', next }, 'newer', ['10 days old']],
    [{ state: 'newer', next: { ...next, version: '2.0.0' } }, 'newer', ['10 days old, a new major version']],
    [{ state: 'newer', next, held: { version: '1.3.0', ageDays: 1 } }, 'newer', ['10 days old', '1.3.0 is held back, 1 day old']],
    [{ state: 'held', held: { version: '1.1.0', ageDays: 0 } }, 'held back', ['1.1.0 is less than a day old']],
    [{ state: 'failed', error: 'the registry did not answer' }, 'not known', ['the registry did not answer']],
  ])('%j is told as %s', (rest, word, notes) => {
    expect(pinInWords(pin(rest))).toMatchObject({ word, notes, name: 'tool' })
  })

  it('that is an agent has its name', () => {
    expect(pinInWords(pin({ npm: '@openai/codex' })).name).toBe('Codex')
  })
})

test('the report says what matters most', () => {
  const newer = pin({ state: 'newer', next })
  expect(upgradeInWords(report([]))).toBe('Nothing is pinned.')
  expect(upgradeInWords(report([pin()]))).toBe('All that is pinned is up to date.')
  expect(upgradeInWords(report([pin(), pin({ state: 'held' })]))).toBe('Nothing newer is old enough to be taken.')
  expect(upgradeInWords(report([pin(), newer]))).toBe('1 of 2 have a newer version.')
  expect(upgradeInWords(report([newer, pin({ state: 'failed' })]))).toContain('Nothing was changed.')
  expect(upgradeInWords(report([newer], ['/f']))).toContain('The pins were written.')
})

test('why versions are held back is said where one is', () => {
  expect(heldBackInWords(report([pin()]), 2)).toBeNull()
  expect(heldBackInWords(report([pin({ state: 'held', held: { version: '2.0.0', ageDays: 1 } })]), 2)).toMatch(/^Versions younger than 2 days are held back: /)
})

test('only profiles that come with Paddock and change are copied, each once', () => {
  const newer = pin({ state: 'newer', next })
  expect(copiedByUpgrade(report([newer, newer, pin({ profile: 'default' }), { ...newer, profile: 'mine' }]), (name) => name !== 'mine')).toEqual(['base'])
})
