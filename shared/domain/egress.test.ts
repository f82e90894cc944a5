import { describe, expect, it } from 'vitest'
import { egressModeOf, egressObstacle, isWider } from './egress.ts'
import { isMetadata, parsePlace, publishedPorts } from './egress-places.ts'
import { formatPrefix } from './ip-prefix.ts'
import { parseRunArguments } from './run-flags.ts'

const options = (words: string) => parseRunArguments([...words.split(' ').filter(Boolean), 'IMAGE']).options

it.each([
  ['', 'open'],
  ['--network pasta', 'open'],
  ['--annotation dev.paddock.egress=open', 'open'],
  ['--annotation dev.paddock.egress=deny', 'deny'],
  ['--annotation dev.paddock.egress=deny --annotation dev.paddock.egress=allowlist', 'allowlist'],
  ['--annotation dev.paddock.egress=Open', 'deny'],
  ['--annotation dev.paddock.egress=', 'deny'],
  ['--annotation dev.paddock.egress-allow=10.0.0.1:1', 'open'],
  ['--network none', 'deny'],
  ['--network none --annotation dev.paddock.egress=open', 'deny'],
  ['--network none --annotation dev.paddock.egress=allowlist', 'allowlist'],
  ['--network none --network pasta', 'open'],
])('a label with "%s" asks for %s', (words, mode) => {
  expect(egressModeOf(options(words))).toBe(mode)
})

it('knows which mode is wider', () => {
  const modes = ['deny', 'allowlist', 'open'] as const
  expect(modes.flatMap((mode, at) => modes.map((than, other) => isWider(mode, than) === at > other))).not.toContain(false)
})

describe('what keeps rules from holding', () => {
  it.each([
    ['--network host', true], ['--network ns:/x', true], ['--network container:x', true], ['--pod x', true], ['--pod-id-file x', true],
    ['--network pasta:-T,auto', false], ['--network pasta:--map-guest-addr,192.0.2.1', false], ['--network slirp4netns:allow_host_loopback=true,mtu=1500', false],
    ['--cap-add NET_RAW', false], ['--cap-add CAP_NET_RAW', false], ['--cap-add chown,net_raw', false], ['--cap-add ALL', false], ['--cap-add NET_ADMIN', false], ['--cap-add CHOWN,cap_net_admin', false], ['--cap-add sys_admin', false], ['--privileged', false], ['--privileged=1', false],
  ])('%s', (words, isShared) => {
    expect(egressObstacle(options(words))).toMatchObject({ isShared })
  })

  it.each(['', '--network pasta', '--network bridge', '--network none', '--network slirp4netns', '--cap-add NET_BIND_SERVICE', '--privileged=false', '--cap-drop ALL'])('is not "%s"', (words) => {
    expect(egressObstacle(options(words))).toBeNull()
  })
})

describe('a place that is opened by name', () => {
  it.each([
    ['192.168.1.20:5432', '192.168.1.20', 5432], ['[fd00::5]:53', 'fd00:0:0:0:0:0:0:5', 53], ['10.0.0.0/8:443', '10.0.0.0/8', 443], ['[fd00::/8]:1', 'fd00::/8', 1], ['203.0.113.9:65535', '203.0.113.9', 65_535],
    ['169.254.169.254:80', '169.254.169.254', 80],
  ])('%s', (text, to, port) => {
    const place = parsePlace(text)
    expect(typeof place === 'string' ? place : [formatPrefix(place.to), place.port]).toEqual([to, port])
  })

  it.each([
    '', '192.168.1.20', '192.168.1.20:', '192.168.1.20:0', '192.168.1.20:65536', '192.168.1.20:http', 'nas:80', 'fd00::5:53', '[fd00::5]', '[192.168.1.1]:80', '0.0.0.0/0:80', '0.0.0.0:80', '127.0.0.1:80', '[::1]:80', '[::]:80', '[::/0]:80',
    '[::ffff:10.0.0.1]:80', '224.0.0.1:80', '255.255.255.255:80', '[ff02::1]:80', '203.0.113.0/24:80', '192.0.0.0/2:80', '[2001:db8::/32]:80', '10.0.0.1:80 }', '10.0.0.1:80\n', '0x0a000001:80', '010.0.0.1:80',
  ])('is not %j', (text) => {
    expect(parsePlace(text)).toEqual(expect.stringMatching(/\w/))
  })

  it.each([['169.254.169.254:1', true], ['169.254.0.0/16:1', true], ['100.100.100.200:1', true], ['[fd00::/8]:1', true], ['169.254.1.2:1', false], ['192.168.0.0/16:1', false]])('%s leads to metadata: %s', (text, expected) => {
    const place = parsePlace(text)
    expect(typeof place !== 'string' && isMetadata(place)).toBe(expected)
  })
})

it.each<[words: string, expected: object]>([
  ['', { tcp: [], udp: [] }],
  ['-p 80 -p 8080:81 -p 127.0.0.1:8081:82/tcp -p [::1]:8082:83 -p 7000-7010:9000-9010/udp -p 80', { tcp: ['80', '81', '82', '83'], udp: ['9000-9010'] }],
  ['-p 127.0.0.1::84', { tcp: ['84'], udp: [] }],
  ['-P', { tcp: null, udp: null }],
])('"%s" publishes', (words, expected) => {
  expect(publishedPorts(options(words))).toEqual(expected)
})
