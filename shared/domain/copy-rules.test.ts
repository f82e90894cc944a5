import { describe, expect, it } from 'vitest'
import { isInnerLink, isPlainName, keptMode, lastName, parseCopyPlace, repeatedName } from './copy-rules.ts'

describe('a place', () => {
  it.each([
    ['0a1b:/etc/passwd', { kind: 'guest', id: '0a1b', path: '/etc/passwd' }],
    ['0a1b:', { kind: 'guest', id: '0a1b', path: '' }],
    ['0a1b:a:b', { kind: 'guest', id: '0a1b', path: 'a:b' }],
    ['./0a1b:x', { kind: 'host', path: './0a1b:x' }],
    ['file', { kind: 'host', path: 'file' }],
    ['xyz:file', { kind: 'host', path: 'xyz:file' }],
  ])('%j', (text, place) => {
    expect(parseCopyPlace(text)).toEqual(place)
  })
})

describe('a name from a guest', () => {
  it.each(['a', '.hidden', '-rf', 'a b', 'ü', '...', 'a\nb', 'x'.repeat(255)])('may be %j', (name) => expect(isPlainName(name)).toBe(true))
  it.each(['', '.', '..', 'a/b', '/', '../x', 'a\0b', 'bad\ufffd', 'x'.repeat(256), 'ü'.repeat(128)])('may not be %j', (name) => expect(isPlainName(name)).toBe(false))
})

describe('a link', () => {
  it.each<[target: string, depth: number]>([['a', 0], ['a/b', 0], ['./a', 0], ['../a', 1], ['../../a/b', 2], ['..', 1], ['.', 0]])('%j, %i deep, stays inside', (target, depth) => {
    expect(isInnerLink(target, depth)).toBe(true)
  })
  it.each<[target: string, depth: number]>([
    ['/etc/passwd', 5], ['..', 0], ['../a', 0], ['../../a', 1], ['a/../../b', 1], ['a/..', 3], ['../one/../..', 2], ['./../..', 1], ['', 3], ['a\0', 1],
  ])('%j, %i deep, may lead out', (target, depth) => {
    expect(isInnerLink(target, depth)).toBe(false)
  })
})

it.each([['/a/b', 'b'], ['a/', 'a'], ['/', ''], ['.', ''], ['..', ''], ['a/..', ''], ['', '']])('the last name of %j is %j', (path, name) => {
  expect(lastName(path)).toBe(name)
})

it('no copy has a program run as somebody else', () => {
  expect(keptMode(0o106755)).toBe(0o755)
})

it.each([[['a', 'b'], null], [['a', 'A'], null], [['x.txt', 'b', 'x.txt'], 'x.txt'], [['constructor'], null], [[], null]])('of %j the name that several have is %j', (names, name) => {
  expect(repeatedName(names)).toBe(name)
})
