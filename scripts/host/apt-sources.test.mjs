import { describe, expect, it } from 'vitest'
import { parseDeb822Sources, parseOneLineSources, pickAptSettings, pickMirrors } from './apt-sources.mjs'

describe('the one-line format', () => {
  it('reads options, suites and components, and passes over source and switched-off lines', () => {
    const text = [
      '# deb http://old.example/debian bookworm main',
      'deb-src http://mirror.example/debian bookworm main',
      'deb [arch=amd64 signed-by=/keys/a.gpg] http://mirror.example/debian bookworm main contrib # ours',
    ].join('\n')
    expect(parseOneLineSources(text)).toEqual([
      {
        uris: ['http://mirror.example/debian'],
        suites: ['bookworm'],
        components: ['main', 'contrib'],
        signedBy: '/keys/a.gpg',
        isTrusted: false,
      },
    ])
  })
})

describe('the deb822 format', () => {
  it('reads several URIs, continued fields and comments between fields', () => {
    const text = [
      'Types: deb deb-src',
      '# a comment',
      'URIs: http://one.example/debian',
      '  http://two.example/debian',
      'Suites: bookworm bookworm-updates',
      'Components: main',
      'Signed-By: /keys/a.gpg',
    ].join('\n')
    expect(parseDeb822Sources(text)).toMatchObject([
      {
        uris: ['http://one.example/debian', 'http://two.example/debian'],
        suites: ['bookworm', 'bookworm-updates'],
        signedBy: '/keys/a.gpg',
      },
    ])
  })

  it('passes over stanzas that are switched off or hold sources only', () => {
    const stanza = (extra) => `${extra}\nURIs: http://a.example/\nSuites: x\nComponents: main`
    expect(parseDeb822Sources(`${stanza('Types: deb\nEnabled: no')}\n\n${stanza('Types: deb-src')}`)).toEqual([])
  })

  it('takes a key that is written into the file for no path', () => {
    const text =
      'Types: deb\nURIs: http://a.example/\nSuites: x\nComponents: main\nSigned-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQENBF\n'
    expect(parseDeb822Sources(text)[0].signedBy).toBeUndefined()
  })
})

describe('choosing the mirror', () => {
  const source = (uris, suites, components = ['main']) => ({ uris, suites, components, isTrusted: false })

  it('prefers the archive of the running release to other repositories', () => {
    const sources = [
      source(['https://vendor.example/node'], ['nodistro']),
      source(['http://mirror.example/security'], ['bookworm-security']),
      source(['http://mirror.example/debian'], ['bookworm', 'bookworm-updates']),
    ]
    const { main, security } = pickMirrors(sources, 'bookworm')
    expect(main.uri).toBe('http://mirror.example/debian')
    expect(security.uri).toBe('http://mirror.example/security')
  })

  it('reads the first address of a mirror list and passes over what only apt can fetch', () => {
    const sources = [
      source(['cdrom:[Debian]/'], ['bookworm']),
      source(['mirror+file:/etc/apt/mirrors/debian.list'], ['bookworm']),
    ]
    const list = '# mirrors\nhttp://near.example/debian\tpriority:1\nhttp://far.example/debian\n'
    expect(pickMirrors(sources, 'bookworm', () => list).main.uri).toBe('http://near.example/debian')
  })

  it('finds nothing where there is no main archive', () => {
    expect(pickMirrors([source(['http://a.example/'], ['bookworm'], ['contrib'])], 'bookworm').main).toBeUndefined()
  })
})

describe('settings of this machine’s apt', () => {
  it('keeps what reaching a mirror needs and nothing else', () => {
    const dump = [
      'APT::Architecture "amd64";',
      'Acquire::http::Proxy "http://proxy.example:3128";',
      'Acquire::https::CaInfo "/etc/ca.pem";',
      'Acquire::http "";',
      'Acquire::Check-Date "false";',
      'Acquire::IndexTargets::deb::DEP-11 "";',
    ].join('\n')
    expect(pickAptSettings(dump)).toEqual([
      'Acquire::http::Proxy "http://proxy.example:3128";',
      'Acquire::https::CaInfo "/etc/ca.pem";',
      'Acquire::Check-Date "false";',
    ])
  })
})
