import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { formatProxyPolicy } from '../../../../shared/domain/egress-policy.ts'
import { formatHostRule, type HostRule, matchesRule, type ProxyRequest } from '../../../../shared/domain/egress-host.ts'

const program = fileURLToPath(new URL('../../../../profiles/egress/decide', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'paddock-decide-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const launch = '11111111-2222-4333-8444-555555555555'
const escaped = (word: string) => word.replace(/[% ]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)

/** What the program answers to lines of Squid's. */
function ask(what: 'request' | 'server-name', lines: readonly (readonly string[])[]): string[] {
  const input = lines.map((words, at) => `${at} ${words.map(escaped).join(' ')}\n`).join('')
  return execFileSync('perl', [program, what, folder], { input, encoding: 'utf8' }).trim().split('\n').map((line) => line.replace(/^\d+ /, ''))
}

const policy = (port: number, rules: readonly string[], refused: readonly string[] = []) =>
  writeFileSync(join(folder, String(port)), formatProxyPolicy(launch, rules.map((rule) => ({ rule, source: { kind: 'label' } })), refused))
const reasons = (lines: readonly (readonly string[])[]) => ask('request', lines).map((line) => /reason_=(\S+)/.exec(line)?.[1])

const host = fc.constantFrom('example.org', 'a.example.org', 'b.a.example.org', 'aexample.org', 'example.org.evil.test', 'EXAMPLE.org', 'other.test')
const path = fc.constantFrom('/', '/a', '/a/', '/a/b', '/ab', '/a/../b', '/a/..;/b', '/a/..;x', '/a;..', '/a/%2e%2E/b', '/a?b', '/a/b?c/../d', '/a//b', '/a/./b', '/%61')
const anyRule: fc.Arbitrary<HostRule> = fc.record({ host: fc.constantFrom('example.org', 'a.example.org', 'other.test'), isWildcard: fc.boolean(), port: fc.constantFrom(null, 80, 443, 8080), path: fc.constantFrom(null, null, '/a', '/a/', '/a/b') }).filter(({ port, path: below }) => port !== 443 || below === null)
const request: fc.Arbitrary<ProxyRequest> = fc.record({ isTunnel: fc.boolean(), host, port: fc.constantFrom(80, 443, 8080), path })

it('lets through what a rule lets through, and by the first that does', () => {
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 4 }), fc.array(request, { minLength: 20, maxLength: 40 }), (rules, requests) => {
      policy(20_001, rules.map(formatHostRule))
      const answers = ask('request', requests.map(({ isTunnel, host: to, port, path: at }) => ['20001', isTunnel ? 'CONNECT' : 'GET', to, String(port), isTunnel ? '-' : at]))
      requests.forEach((each, at) => {
        const first = rules.find((rule) => matchesRule(rule, each))
        expect(/ rule_=(\S+)/.exec(answers[at]!)?.[1], `${answers[at]} ${JSON.stringify(each)}`).toBe(first && formatHostRule(first))
        expect(answers[at]!.includes('reason_=listed ')).toBe(first !== undefined)
      })
    }),
    { numRuns: 25 },
  )
})

describe('without a rule it says why not', () => {
  it.each([
    ['an address', ['CONNECT', '203.0.113.1', '443', '-'], 'address'], ['IPv6', ['CONNECT', '[2001:db8::1]', '443', '-'], 'address'], ['IPv6 without brackets', ['GET', '::1', '80', '/'], 'address'], ['a number', ['GET', '2852039166', '80', '/'], 'address'],
    ['hexadecimal', ['GET', '0xA9FEA9FE', '80', '/'], 'address'], ['octal', ['GET', '0251.0376.0251.0376', '80', '/'], 'address'], ['metadata', ['GET', 'Metadata.Google.Internal', '80', '/'], 'metadata'], ['metadata with a dot', ['GET', 'metadata.goog.', '80', '/'], 'metadata'],
    ['another port', ['CONNECT', 'example.org', '22', '-'], 'port'], ['a path', ['GET', 'path.example', '80', '/a/../b'], 'path'], ['a no', ['CONNECT', 'no.example', '443', '-'], 'refused'], ['nothing', ['CONNECT', 'any.example', '443', '-'], 'not-listed'],
  ])('%s', (_what, words, reason) => {
    policy(20_002, ['example.org', 'path.example/a', '*.internal.example'], ['no.example'])
    expect(reasons([['20002', ...words]])).toEqual([reason])
  })

  it('a port of nobody, one whose policy is half written, and one that is no port', () => {
    writeFileSync(join(folder, '20003'), `launch ${launch}\nrule host example.org - - - example.org\n`)
    expect(reasons(['20004', '20003', '../20002', ''].map((port) => [port, 'CONNECT', 'example.org', '443', '-']))).toEqual(['no-policy', 'no-policy', 'no-policy', 'no-policy'])
  })
})

it('a rule for a while ends by itself', () => {
  const until = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
  writeFileSync(join(folder, '20005'), formatProxyPolicy(launch, [{ rule: 'over.example', source: { kind: 'once', until: until(-2) } }, { rule: 'now.example', source: { kind: 'once', until: until(60) } }], []))
  expect(reasons([['20005', 'CONNECT', 'over.example', '443', '-'], ['20005', 'CONNECT', 'now.example', '443', '-']])).toEqual(['not-listed', 'listed'])
})

it('TLS has to ask for the name of the tunnel', () => {
  expect(ask('server-name', [['example.org', 'example.org'], ['example.org', 'EXAMPLE.org'], ['example.org', 'evil.test'], ['example.org', '-'], ['-', '-']])).toEqual(['OK', 'OK', 'ERR', 'ERR', 'OK'])
})
