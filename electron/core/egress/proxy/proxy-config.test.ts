import { describe, expect, it } from 'vitest'
import { parsePrefix } from '../../../../shared/domain/ip-prefix.ts'
import { proxyConfig } from './proxy-config.ts'
import { portRange, proxyPlace } from './proxy-place.ts'
import { findUpstream } from './upstream.ts'

describe('Squid’s configuration', () => {
  it('has a port for each lane, and closes what is closed', () => {
    const text = proxyConfig({ ports: [20_000, 20_001], closed: ['10.0.0.0/8', 'fc00::/7'], upstream: null })
    expect(text.match(/^http_port \d+ ssl-bump tls-cert=\S+ generate-host-certificates=off$/gm)).toHaveLength(2)
    expect(text).toContain('acl closed dst 10.0.0.0/8\nacl closed dst fc00::/7\n')
    expect(text).not.toContain('cache_peer')
    expect(text).toContain('acl resolved dst all\n')
  })

  it('sends everything through the company’s proxy, which looks names up, but what is to go past it', () => {
    const upstream = { address: parsePrefix('10.1.2.3')!, host: 'proxy.corp.example', port: 3128, isTls: true, login: 'ada:secret', direct: ['corp.example'] }
    const text = proxyConfig({ ports: [20_000], closed: [], upstream })
    expect(text).toContain('cache_peer 10.1.2.3 parent 3128 0 no-query no-digest no-netdb-exchange default name=upstream login=ada:secret tls tls-domain=proxy.corp.example tls-cafile=/run/paddock/proxy/ca.crt\n')
    expect(text).toContain('acl resolved src all\n')
    expect(text).toContain('acl direct dstdomain .corp.example\nalways_direct allow direct\nnever_direct deny direct\nnever_direct allow all\n')
  })
})

describe('the company’s proxy', () => {
  it('is none where the environment names none', async () => expect(await findUpstream({})).toBe(null))

  it('is read as curl reads it', async () => {
    expect(await findUpstream({ https_proxy: 'http://ada:p%40ss@127.0.0.1:3128', no_proxy: 'localhost,.corp.example,*.lan.example,10.0.0.0/8,192.168.1.1' })).toEqual({ address: parsePrefix('127.0.0.1'), host: '127.0.0.1', port: 3128, isTls: false, login: 'ada:p@ss', direct: ['localhost', 'corp.example', 'lan.example'] })
    expect(await findUpstream({ HTTPS_PROXY: '127.0.0.1' })).toMatchObject({ port: 80, login: null })
    expect(await findUpstream({ https_proxy: 'https://[::1]' })).toMatchObject({ port: 443, isTls: true, host: '::1' })
  })

  it.each(['socks5://127.0.0.1', 'http://', 'http://a%0ab:c@127.0.0.1', 'http://a%20b:c@127.0.0.1', 'http://nowhere.invalid'])('%s cannot be used', async (text) => {
    await expect(findUpstream({ https_proxy: text })).rejects.toMatchObject({ report: { code: 'egress-unavailable' } })
  })
})

it('lanes are 64 ports below those of outgoing connections, others for other folders and other tries', () => {
  const ranges = ['/a', '/b', '/c'].flatMap((folder) => [0, 1, 2].map((attempt) => portRange(proxyPlace(folder), attempt)))
  for (const ports of ranges) expect([ports.length, ports[0]! >= 20_000, ports.at(-1)! < 32_768]).toEqual([64, true, true])
  expect(new Set(ranges.map(([first]) => first)).size).toBe(9)
})
