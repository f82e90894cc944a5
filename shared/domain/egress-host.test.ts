import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAllowance } from './egress-allowances.ts'
import { formatHostRule, type HostRule, matchesRule, parseHostRule, type ProxyRequest } from './egress-host.ts'
import { egressLists } from './egress-lists.ts'

const rule = (text: string) => parseHostRule(text) as HostRule
const tunnel = (host: string, port = 443): ProxyRequest => ({ isTunnel: true, host, port, path: '' })
const plain = (host: string, path = '/', port = 80): ProxyRequest => ({ isTunnel: false, host, port, path })

const part = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/)
const host = fc.tuple(fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom('example', 'org', 'xn--p1ai')).map(([parts, last]) => [...parts, last].join('.'))
const path = fc.array(fc.stringMatching(/^[a-z0-9~_][a-z0-9~_.-]{0,5}$/), { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join('/')}`)
const anyRule = fc.record({ host, isWildcard: fc.boolean(), port: fc.constantFrom(null, 80, 8080, 443, 65_535), path: fc.option(path, { nil: null }) }).filter(({ port, path: below }) => port !== 443 || below === null)

describe('a rule', () => {
  it('is read as it was written', () => {
    fc.assert(fc.property(anyRule, (written) => {
      expect(parseHostRule(formatHostRule(written))).toEqual(written)
    }))
  })

  it.each([
    ['Example.ORG', { host: 'example.org', isWildcard: false, port: null, path: null }],
    ['*.example.org:8080', { host: 'example.org', isWildcard: true, port: 8080, path: null }],
    ['deb.example.org/debian/', { host: 'deb.example.org', isWildcard: false, port: null, path: '/debian/' }],
    ['example.org/', { host: 'example.org', isWildcard: false, port: null, path: null }],
  ])('%s', (text, expected) => expect(parseHostRule(text)).toEqual(expected))

  it.each([
    ['', /write HOST/], ['localhost', /has a domain/], ['*', /write HOST/], ['*.org', /top-level/], ['*.*.org', /write HOST/], ['a*.example.org', /write HOST/], ['example.*', /write HOST/],
    ['https://example.org', /without http/], ['example.org:', /port is/], ['example.org:0', /port is/], ['example.org:65536', /port is/], ['example.org:080', /port is/], ['example.org:x', /write HOST/],
    ['example.org:443/path', /plain HTTP/], ['example.org/a/../b', /different ways/], ['example.org/a%2fb', /different ways/], ['example.org//a', /different ways/], ['example.org/a?b', /different ways/],
    ['192.168.1.1', /not addresses/], ['1.1.1.1:80', /not addresses/], ['2852039166', /not addresses/], ['0xA9FEA9FE', /not addresses/], ['*.1.1.1', /not addresses/], ['example.123', /not addresses/],
    ['bücher.example', /xn--/], ['-a.example', /no name/], ['a..example', /no name/], ['example.org.', /no name/], ['exa mple.org', /write HOST/], [`${'a'.repeat(64)}.example`, /no name/], [`${'a.'.repeat(127)}example`, /no name/],
    ['metadata.google.internal', /metadata/], ['Metadata.goog', /metadata/],
  ])('"%s" is none', (text, why) => expect(parseHostRule(text)).toMatch(why))

  it('is refused or read, whatever is written, and never read as something else', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const read = parseHostRule(text)
      if (typeof read !== 'string') expect(formatHostRule(read).toLowerCase()).toBe(text.toLowerCase().replace(/^([^/]*)\/$/, '$1'))
    }))
  })
})

describe('what a rule lets through', () => {
  it('is its host alone, and with a wildcard all below it alone', () => {
    fc.assert(fc.property(host, host, part, (listed, other, below) => {
      fc.pre(other !== listed && !other.endsWith(`.${listed}`))
      const [exact, wild] = [rule(listed), rule(`*.${listed}`)]
      for (const ask of [tunnel, plain]) {
        expect([matchesRule(exact, ask(listed)), matchesRule(exact, ask(`${below}.${listed}`)), matchesRule(exact, ask(other))]).toEqual([true, false, false])
        expect([matchesRule(wild, ask(listed)), matchesRule(wild, ask(`${below}.${listed}`)), matchesRule(wild, ask(other)), matchesRule(wild, ask(`${below}${listed}`))]).toEqual([false, true, false, false])
      }
    }))
  })

  it('is a tunnel to 443 and nothing else', () => {
    fc.assert(fc.property(anyRule, fc.integer({ min: 1, max: 65_535 }), (listed, port) => {
      if (port !== 443) expect(matchesRule(listed, tunnel(listed.isWildcard ? `a.${listed.host}` : listed.host, port))).toBe(false)
    }))
  })

  it.each([
    ['example.org', plain('example.org'), true], ['example.org', plain('EXAMPLE.org'), true], ['example.org', plain('example.org', '/', 8080), false], ['example.org', plain('example.org', '/', 443), false],
    ['example.org:443', plain('example.org'), false], ['example.org:443', tunnel('example.org'), true], ['example.org:8080', plain('example.org', '/', 8080), true], ['example.org:8080', plain('example.org'), false], ['example.org:8080', tunnel('example.org'), false],
    ['example.org/a', plain('example.org', '/a'), true], ['example.org/a', plain('example.org', '/a?b'), true], ['example.org/a', plain('example.org', '/a/b'), true], ['example.org/a', plain('example.org', '/ab'), false], ['example.org/a/', plain('example.org', '/a'), false],
    ['example.org/a', plain('example.org', '/a/../b'), false], ['example.org/a', plain('example.org', '/a/%2E%2e/b'), false], ['example.org/a', plain('example.org', '/a/b?c=../d'), true], ['example.org/a', tunnel('example.org'), false],
  ])('%s and %j', (text, request, expected) => expect(matchesRule(rule(text), request)).toBe(expected))
})

describe('a word of a label', () => {
  it.each([['@npm', 'list'], ['example.org', 'host'], ['*.example.org', 'host'], ['192.168.1.2:5432', 'place'], ['[fd00::1]:53', 'place'], ['10.0.0.0/8:443', 'place']])('%s is a %s', (word, kind) => expect(parseAllowance(word)).toMatchObject({ kind }))
  it.each(['@nothing', '@', '192.168.1.1', '[::1]:80', '1.2.3.4:0'])('%s is none', (word) => expect(parseAllowance(word)).toEqual(expect.any(String)))
})

it('lists hold rules, and have names that a label can write', () => {
  for (const { name, rules, description } of egressLists) {
    expect(name).toMatch(/^[a-z]+$/)
    expect(description).not.toBe('')
    for (const text of rules) expect(formatHostRule(rule(text))).toBe(text)
    expect(new Set(rules).size).toBe(rules.length)
  }
})
