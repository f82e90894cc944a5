import { describe, expect, it } from 'vitest'
import { chooseAccountName, parsePasswdLine } from './account.mjs'
import { isHybrid } from './hybrid-cgroups.mjs'
import { hasRange, nextFreeRange } from './subordinate-ids.mjs'

describe('choosing the account', () => {
  it('takes the setting, then whoever called sudo, then paddock', () => {
    expect(chooseAccountName({ PADDOCK_ACCOUNT: 'other', SUDO_USER: 'me', SUDO_UID: '1000' })).toBe('other')
    expect(chooseAccountName({ SUDO_USER: 'me', SUDO_UID: '1000' })).toBe('me')
    expect(chooseAccountName({ SUDO_USER: 'root', SUDO_UID: '0' })).toBe('paddock')
    expect(chooseAccountName({})).toBe('paddock')
  })

  it.each(['root', '-x', 'a b', 'A', '1'])('refuses %j', (name) => {
    expect(() => chooseAccountName({ PADDOCK_ACCOUNT: name })).toThrow(/cannot be the account/)
  })

  it('reads passwd', () => {
    expect(parsePasswdLine('p:x:1001:1002:,,,:/home/p:')).toEqual({
      name: 'p',
      uid: 1001,
      gid: 1002,
      home: '/home/p',
      shell: '/bin/sh',
    })
    expect(parsePasswdLine(undefined)).toBeUndefined()
  })
})

describe('subordinate ids', () => {
  it('accepts a large enough range by name or number', () => {
    expect(hasRange('a:100000:65536\n', 'a', 1)).toBe(true)
    expect(hasRange('1:100000:65536\n', 'a', 1)).toBe(true)
    expect(hasRange('a:100000:1000\nb:200000:65536\n', 'a', 1)).toBe(false)
  })

  it('starts a new range above all others of both files', () => {
    expect(nextFreeRange(['', ''])).toBe(100_000)
    expect(nextFreeRange(['a:100000:65536\n', 'a:100000:65536\nb:231072:65536\nbad line'])).toBe(296_608)
  })
})

describe('hybrid cgroups', () => {
  it('are those where version 2 has controllers beside version 1', () => {
    expect(isHybrid(() => 'memory pids\n')).toBe(true)
    expect(isHybrid(() => '\n')).toBe(false)
    expect(
      isHybrid(() => {
        throw new Error('ENOENT')
      }),
    ).toBe(false)
  })
})
