import { describe, expect, it } from 'vitest'
import { embed, formatPrefix, holds, outermost, parsePrefix } from './ip-prefix.ts'

const prefix = (text: string) => parsePrefix(text)!
const rewritten = (text: string) => formatPrefix(prefix(text))

describe('parsePrefix', () => {
  it.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['192.168.1.7', '192.168.1.7'],
    ['192.168.1.7/24', '192.168.1.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::', '::'],
    ['::/0', '::/0'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['fe80::1/10', 'fe80::/10'],
    ['2001:DB8:0:0:1::5', '2001:db8:0:0:1:0:0:5'],
    ['::ffff:10.0.0.1', '0:0:0:0:0:ffff:a00:1'],
    ['64:ff9b::10.0.0.0/104', '64:ff9b:0:0:0:0:a00:0/104'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ])('%s', (text, expected) => {
    expect(rewritten(text)).toBe(expected)
    expect(rewritten(rewritten(text))).toBe(expected)
  })

  it.each([
    '', 'x', '10', '10.1', '10.0.0.256', '010.0.0.1', '0x7f.0.0.1', '2130706433', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '1.2.3.4.5', '1.2.3.4:80', '[::1]', ':', ':::', '1::2::3', '1:2:3:4:5:6:7:8::',
    '12345::', 'fe80::1%eth0', '::1.2.3', '::1.2.3.4.5', '1.2.3.4::', '::/129', '10.0.0.0/8 }', '10.0.0.1\n',
  ])('is null for %j', (text) => {
    expect(parsePrefix(text)).toBeNull()
  })
})

it('knows what lies in what', () => {
  expect(holds(prefix('10.0.0.0/8'), prefix('10.255.255.255'))).toBe(true)
  expect(holds(prefix('10.0.0.0/8'), prefix('11.0.0.0'))).toBe(false)
  expect(holds(prefix('10.0.0.0/16'), prefix('10.0.0.0/8'))).toBe(false)
  expect(holds(prefix('::/0'), prefix('10.0.0.1'))).toBe(false)
})

it('keeps the outermost blocks, each once', () => {
  const blocks = ['10.0.0.0/8', '10.1.0.0/16', '192.168.1.1', '10.0.0.0/8', '192.168.1.1', 'fc00::/7', 'fd00:ec2::254'].map(prefix)
  expect(outermost(blocks).map(formatPrefix)).toEqual(['10.0.0.0/8', '192.168.1.1', 'fc00::/7'])
})

it('puts IPv4 into IPv6', () => {
  expect(formatPrefix(embed(prefix('10.0.0.0/8'), prefix('64:ff9b::/96')))).toBe('64:ff9b:0:0:0:0:a00:0/104')
  expect(formatPrefix(embed(prefix('169.254.169.254'), prefix('64:ff9b::/96')))).toBe(rewritten('64:ff9b::169.254.169.254'))
})
