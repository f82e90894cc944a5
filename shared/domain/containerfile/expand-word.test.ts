import { describe, expect, it } from 'vitest'
import { expandWord } from './expand-word.ts'

// Examples of containerfile(5), "Environment replacement", and of the Dockerfile reference.
const variables = new Map([['foo', '/bar'], ['n', '1'], ['empty', ''], ['dollar', '$foo'], ['quote', '"x"'], ['space', 'a b']])

describe('expandWord', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    ['$foo', '/bar'],
    ['${foo}', '/bar'],
    ['${foo}_x', '/bar_x'],
    ['$foo_x', ''],
    ['a$foo/b$n', 'a/bar/b1'],
    ['$unset', ''],
    ['[${unset}]', '[]'],
    ['\\$foo', '$foo'],
    ['\\${foo}', '${foo}'],
    ['\\\\$foo', '\\/bar'],
    ['$', '$'],
    ['a$', 'a$'],
    ['$$foo', '$/bar'],
    ['$1', '$1'],
    ['${', '${'],
    ['${unset:-word}', 'word'],
    ['${empty:-word}', 'word'],
    ['${foo:-word}', '/bar'],
    ['${foo:-}', '/bar'],
    ['${unset:-}', ''],
    ['${foo:+word}', 'word'],
    ['${unset:+word}', ''],
    ['${empty:+word}', ''],
    ['${unset:-$foo}', '/bar'],
    ['${unset:-${foo}}', '/bar'],
    ['${unset:-${other:-${foo}}/x}y', '/bar/xy'],
    ['${foo:+${n}}', '1'],
    ['${unset:-a:b}', 'a:b'],
    ["'$foo'", '$foo'],
    ["'a\\b'", 'a\\b'],
    ['"$foo"', '/bar'],
    ['"a b"', 'a b'],
    ['"\\$foo"', '$foo'],
    ['"\\"x\\""', '"x"'],
    ['"a\\nb"', 'a\\nb'],
    ['a\\ b', 'a b'],
    ['a\\nb', 'anb'],
    ['"it\'s $n"', "it's 1"],
    ["'say \"x\"'", 'say "x"'],
    ['a"b"\'c\'d', 'abcd'],
    ['end\\', 'end\\'],
    ['"never closed $n', 'never closed 1'],
  ])('%s is %s', (raw, expected) => {
    expect(expandWord(raw, variables)).toBe(expected)
  })

  it('does not expand, split or unquote what a variable holds', () => {
    expect(['$dollar', '${quote}', '"$space"', '${unset:-$dollar}'].map((raw) => expandWord(raw, variables))).toEqual(['$foo', '"x"', 'a b', '$foo'])
  })
})
