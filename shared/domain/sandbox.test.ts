import { describe, expect, it } from 'vitest'
import { matchId } from './match-id.ts'
import { imageOf, profileNamePattern, profileOfImage } from './profile.ts'
import { refuseProject } from './project.ts'
import { judgeIsolation } from './sandbox.ts'

const host = '77189030-be50-4e59-883c-1dcc636cd443'
const other = '0c3b5e9a-1111-4222-8333-444455556666'

describe('judgeIsolation', () => {
  it.each([
    ['another kernel under krun', other, 'krun', 'microvm'],
    ['another kernel under krun by path', `${other}\n`, '/usr/bin/krun', 'microvm'],
    ['the host’s kernel under krun', host, 'krun', 'container'],
    ['the host’s kernel with white space around', ` ${host}\n`, 'krun', 'container'],
    ['a lie under crun', other, 'crun', 'container'],
    ['a lie under a runtime whose name only ends so', other, '/tmp/not-krun', 'container'],
    ['the host’s kernel under crun', host, 'crun', 'container'],
    ['no report under krun', null, 'krun', 'unverified'],
    ['no report under crun', null, 'crun', 'container'],
    ['an empty report', '', 'krun', 'unverified'],
    ['nonsense', 'microvm', 'krun', 'unverified'],
    ['a report with more behind it', `${other}x`, 'krun', 'unverified'],
    ['two reports', `${other}\n${other}`, 'krun', 'unverified'],
    ['capitals, which no kernel prints', other.toUpperCase(), 'krun', 'unverified'],
  ] as const)('%s', (_what, seen, runtime, expected) => {
    expect(judgeIsolation(seen, `${host}\n`, runtime)).toBe(expected)
  })
})

describe('matchId', () => {
  const sandboxes = ['abc123'.padEnd(64, '0'), 'abd456'.padEnd(64, '0'), '0123'.padEnd(64, 'f')].map((id) => ({ id }))
  it.each([
    ['abc', { kind: 'one', id: sandboxes[0]!.id }],
    [sandboxes[1]!.id, { kind: 'one', id: sandboxes[1]!.id }],
    ['ab', { kind: 'several', ids: [sandboxes[0]!.id, sandboxes[1]!.id] }],
    ['', { kind: 'unknown' }],
    ['zzz', { kind: 'unknown' }],
    ['c123', { kind: 'unknown' }],
    ['deadbeef', { kind: 'unknown' }],
    ['deadbeefdead', { kind: 'gone' }],
    ['deadbeef'.repeat(8), { kind: 'gone' }],
    [`${'deadbeef'.repeat(8)}0`, { kind: 'unknown' }],
    ['not-a-hex-id', { kind: 'unknown' }],
  ])('%j', (given, expected) => {
    expect(matchId(sandboxes, given)).toEqual(expected)
  })
})

describe('refuseProject', () => {
  const reserved = { home: '/home/user', own: ['/home/user/.config/paddock', '/home/user/.local/share/paddock', '/elsewhere/state/paddock'] }
  it.each([
    ['/', 'it is the root of the file system'],
    ['/home/user', 'it is your home folder, with everything in it'],
    ['/home', 'it holds your home folder /home/user'],
    ['/etc', 'it belongs to the system'],
    ['/etc/ssh', 'it belongs to the system'],
    ['/proc/1/root', 'it belongs to the system'],
    ['/run/user/1000', 'it belongs to the system'],
    ['/tmp', 'it belongs to the system'],
    ['/home/user/.ssh', 'it holds your keys'],
    ['/home/user/.gnupg/private-keys-v1.d', 'it holds your keys'],
    ['/tmp/work', null],
    ['/run/media/user/stick/work', null],
    ['/home/user/.sshx', null],
    ['/home/user/.config', 'it holds Paddock’s own folder /home/user/.config/paddock'],
    ['/home/user/.config/paddock', 'it holds Paddock’s own folder /home/user/.config/paddock'],
    ['/home/user/.config/paddock/profiles/mine', 'it lies inside Paddock’s own folder /home/user/.config/paddock'],
    ['/home/user/.local/share/paddock/homes/default', 'it lies inside Paddock’s own folder /home/user/.local/share/paddock'],
    ['/elsewhere', 'it holds Paddock’s own folder /elsewhere/state/paddock'],
    ['/home/user/app', null],
    ['/home/user/.config/paddock-plugin', null],
    ['/home/user2', null],
    ['/home/use', null],
    ['/elsewhere/state/pad', null],
  ])('%s: %s', (folder, why) => {
    expect(refuseProject(folder, reserved)).toBe(why)
  })
})

describe('names of images and profiles', () => {
  it.each([
    ['base', 'localhost/paddock-base:latest'],
    ['default', 'localhost/paddock:latest'],
    ['minimal', 'localhost/paddock:minimal'],
  ])('profile %s builds %s, and back', (profile, image) => {
    expect(imageOf(profile)).toBe(image)
    expect(profileOfImage(image)).toBe(profile)
    expect(profileOfImage(image.replace('localhost/', ''))).toBe(profile)
  })

  it.each(['docker.io/library/paddock:latest', 'localhost/other:latest', 'evil/paddock:minimal', 'paddockish', ''])('%s is none of ours', (image) => {
    expect(profileOfImage(image)).toBeNull()
  })

  it.each([
    ['a', true],
    ['my-agent_1.2', true],
    ['', false],
    ['.git', false],
    ['-x', false],
    ['Upper', false],
    ['a b', false],
    ['a/b', false],
    ['a:b', false],
    ['x'.repeat(64), false],
  ])('a folder named %j can be a profile: %s', (name, expected) => {
    expect(profileNamePattern.test(name)).toBe(expected)
  })
})
