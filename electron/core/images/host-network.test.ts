import { describe, expect, it } from 'vitest'
import { caMountPoint } from '../../../shared/domain/ca-variables.ts'
import { caBuildOptions, companyCaBundle, hostCaBundle, npmrcForBuild } from './host-network.ts'

/** In parts, because no registry is named in this repository. */
const publicHost = ['registry', 'npmjs', 'org'].join('.')

describe('npmrcForBuild', () => {
  it.each([
    ['an empty file', ''],
    ['no registry', `//${publicHost}/:_authToken=secret\nfund=false`],
    ['the public registry by name', `registry=https://${publicHost}/\n//${publicHost}/:_authToken=secret`],
    ['a registry that is commented out', ';registry=https://npm.corp/\n# registry=https://npm.corp/\n//npm.corp/:_authToken=secret'],
    ['another key that ends so', 'my-registry=https://npm.corp/\n//npm.corp/:_authToken=secret'],
  ])('gives nothing to a build with %s', (_what, npmrc) => {
    expect(npmrcForBuild(npmrc)).toBeNull()
  })

  it.each([
    ['registry=https://npm.corp/', '//npm.corp/:_authToken=t'],
    ['registry = https://npm.corp', '//npm.corp/:_authToken=t'],
    ['registry=http://npm.corp:8080/path/', '//npm.corp:8080/path/:_password=t'],
    ['@corp:registry=https://npm.corp/', '//npm.corp/:username=me'],
  ])('gives a private registry and its own credentials: %s, %s', (registry, credential) => {
    expect(npmrcForBuild(`fund=false\r\n${registry}\r\n${credential}\r\n`)).toBe(`${registry}\n${credential}\n`)
  })

  it.each([
    '//other.corp/:_authToken=secret',
    `//${publicHost}/:_authToken=secret`,
    '//npm.corp.evil.org/:_authToken=secret',
    '//npm.corp:8443/:_authToken=secret',
    '//npm.corporate/:_authToken=secret',
    '//sub.npm.corp/:_authToken=secret',
    '//npm.corp/other/:_authToken=secret',
    '_auth=secret',
    '_authToken=secret',
    'email=secret',
    'https-proxy=http://me:secret@proxy',
  ])('never gives it another host’s: %s', (line) => {
    const npmrc = npmrcForBuild(`registry=https://npm.corp/\n${line}\n//npm.corp/:_authToken=own\n`)
    expect(npmrc).not.toContain('secret')
    expect(npmrc).toContain('//npm.corp/:_authToken=own')
  })

  it('keeps the public registry’s credentials out beside a private one’s', () => {
    const npmrc = npmrcForBuild(`registry=https://${publicHost}/\n@corp:registry=https://npm.corp/\n//${publicHost}/:_authToken=secret\n//npm.corp/:_authToken=own\n`)
    expect(npmrc).toBe(`registry=https://${publicHost}/\n@corp:registry=https://npm.corp/\n//npm.corp/:_authToken=own\n`)
  })
})

describe('caBuildOptions', () => {
  it('mounts the bundle read-only and names it in the variables that the Containerfile declares', () => {
    expect(caBuildOptions(new Set(['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'OTHER']), '/etc/ca.crt')).toEqual([
      '--volume', `/etc/ca.crt:${caMountPoint}:ro`, '--build-arg', `NODE_EXTRA_CA_CERTS=${caMountPoint}`, '--build-arg', `SSL_CERT_FILE=${caMountPoint}`,
    ])
  })

  it('adds nothing where nothing is declared, or there is no bundle', () => {
    expect(caBuildOptions(new Set(['OTHER']), '/etc/ca.crt')).toEqual([])
    expect(caBuildOptions(new Set(['SSL_CERT_FILE']), undefined)).toEqual([])
  })
})

it('the host’s bundle is the one that SSL_CERT_FILE names, if that can be read', () => {
  const here = new URL(import.meta.url).pathname
  expect(hostCaBundle({ SSL_CERT_FILE: here })).toBe(here)
  expect(hostCaBundle({ SSL_CERT_FILE: '/no/such/file' })).not.toBe('/no/such/file')
})

it('a sandbox has to trust the host’s authorities only where the environment speaks of a company’s', () => {
  const file = process.execPath
  expect(companyCaBundle({})).toBe(null)
  expect(companyCaBundle({ SSL_CERT_FILE: file })).toBe(file)
  expect(companyCaBundle({ https_proxy: 'http://proxy.example:3128', SSL_CERT_FILE: '' })).toBe(hostCaBundle({}) ?? null)
})
