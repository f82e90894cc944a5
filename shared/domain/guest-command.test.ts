import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loginShellText, sessionEnvironment, shellTextOf } from './guest-command.ts'

const inShell = (text: string) => execFileSync('/bin/sh', ['-c', text], { encoding: 'utf8' })

describe('a command as a shell’s text', () => {
  it.each([
    ['plain words', { argv: ['git', 'log', '-3'] }, 'exec git log -3'],
    ['a folder', { argv: ['ls'], cwd: '/a b' }, "cd -- '/a b' || exit 126; exec ls"],
    ['a folder named like the last one', { argv: ['ls'], cwd: '-' }, 'cd -- ./- || exit 126; exec ls'],
    ['a quote', { argv: ["it's"] }, "exec 'it'\\''s'"],
    ['nothing in a word', { argv: ['echo', ''] }, "exec echo ''"],
  ])('%s', (_what, command, text) => {
    expect(shellTextOf(command)).toBe(text)
  })

  it('is the same words again for any words, in a real shell', () => {
    const word = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constantFrom('$HOME', '`id`', '*', '\\', '"', "'", '\n', '~', '-n', '#', '!x', 'a=b'))
    fc.assert(
      fc.property(fc.array(word.filter((text) => !text.includes('\0')), { maxLength: 5 }), (words) => {
        expect(inShell(shellTextOf({ argv: ['printf', '[%s]', ...words], cwd: '/' }))).toBe(words.length === 0 ? '[]' : words.map((text) => `[${text}]`).join(''))
      }),
      { numRuns: 60 },
    )
  })

  it('cannot be made of nothing, or with a NUL', () => {
    expect(() => shellTextOf({ argv: [] })).toThrow(RangeError)
    expect(() => shellTextOf({ argv: ['a\0b'] })).toThrow(RangeError)
    expect(() => shellTextOf({ argv: ['a'], cwd: '/a\0b' })).toThrow(RangeError)
  })

  it('becomes the login shell', () => {
    expect(loginShellText('/home/ai/sandbox')).toBe('cd -- /home/ai/sandbox; exec "${SHELL:-/bin/sh}" -l')
  })
})

describe('the variables of a session', () => {
  it('are the sandbox’s but for those of the login', () => {
    expect(sessionEnvironment(['LANG=C.UTF-8', 'HOME=/root', 'TERM=xterm', 'A=b=c', 'EMPTY=', 'SHLVL=3'])).toEqual({ LANG: 'C.UTF-8', A: 'b=c', EMPTY: '' })
  })

  it('leave out what no shell takes for one', () => {
    expect(sessionEnvironment(['', '=x', 'noValue', '1A=x', 'BASH_FUNC_f%%=() { :; }', 'N=a\0b'])).toEqual({})
  })
})
