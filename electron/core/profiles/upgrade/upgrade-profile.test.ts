import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createNpmRegistry, integrityOf, type NpmRegistry } from '../../../../e2e/fixtures/npm-registry.ts'
import type { UpgradeReport } from '../../../../shared/domain/upgrade.ts'
import { findProfile, type ProfileFolders } from '../find-profiles.ts'
import { type UpgradeRequest, upgradeProfile } from './upgrade-profile.ts'

let root: string
let folders: ProfileFolders
let registry: NpmRegistry
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'upgrade-test-'))
  folders = { bundled: join(root, 'bundled'), user: join(root, 'user'), readings: join(root, 'readings') }
  registry = await createNpmRegistry()
})
afterEach(async () => {
  await registry.close()
  rmSync(root, { recursive: true, force: true })
})

const old = integrityOf('old')
const pin = (npm: string, name: string, version = '1.0.0') => `# npm: ${npm}\nARG ${name}_VERSION=${version}\nARG ${name}_INTEGRITY=${old}\n`
function profile(name: string, text: string, place: 'bundled' | 'user' = 'user'): string {
  mkdirSync(join(folders[place], name), { recursive: true })
  writeFileSync(join(folders[place], name, 'Containerfile'), text)
  return join(folders[place], name, 'Containerfile')
}
async function upgrade(name: string, { apply = true, minAgeDays = 2, timeoutMs = 20_000, ...more }: Partial<UpgradeRequest> & { timeoutMs?: number } = {}): Promise<UpgradeReport> {
  const env = { npm_config_registry: registry.url, npm_config_cache: join(root, 'npm-cache'), npm_config_userconfig: join(root, 'npmrc') }
  return upgradeProfile(await findProfile(folders, name), { folders, apply, minAgeDays, now: new Date(), npm: { env, timeoutMs }, imageFacts: async () => new Map(), baseCandidates: async (image) => [image], ...more })
}

describe('a newer version', () => {
  it('is taken with its integrity, and nothing else of the file changes', async () => {
    registry.publish('tool', { '1.0.0': { ageDays: 100, integrity: old }, '1.1.0': { ageDays: 30 }, '1.2.0': { ageDays: 10 } })
    const text = `# head\r\n${pin('tool', 'TOOL').replaceAll('\n', '\r\n')}FROM a:1\r\nARG TOOL_VERSION\r\nRUN echo 1.0.0 ${old}\r\n`
    const file = profile('web', text)
    const report = await upgrade('web')
    expect(report.pins).toMatchObject([{ profile: 'web', npm: 'tool', current: '1.0.0', state: 'newer', next: { version: '1.2.0', integrity: integrityOf('tool@1.2.0'), ageDays: 10 }, held: null }])
    expect(report.written).toEqual([file])
    expect(readFileSync(file, 'utf8')).toBe(text.replace('VERSION=1.0.0', 'VERSION=1.2.0').replace(`INTEGRITY=${old}`, `INTEGRITY=${integrityOf('tool@1.2.0')}`))
    expect((await upgrade('web')).pins).toMatchObject([{ state: 'current' }])
  })

  it('is only told when it is not to be applied', async () => {
    registry.publish('tool', { '1.0.0': { ageDays: 100 }, '2.0.0': { ageDays: 10 } })
    const file = profile('web', `${pin('tool', 'TOOL')}FROM a:1\n`)
    const before = readFileSync(file, 'utf8')
    expect(await upgrade('web', { apply: false })).toMatchObject({ pins: [{ state: 'newer', next: { version: '2.0.0' } }], written: [] })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it('is not a prerelease, not above what the publisher calls the latest, and not withdrawn', async () => {
    registry.publish('tool', {
      '1.0.0': { ageDays: 100 }, '1.1.0': { ageDays: 50 }, '1.2.0': { ageDays: 40, deprecated: 'broken' }, '1.3.0': { ageDays: 1 }, '1.3.1-rc.1': { ageDays: 30 }, '2.0.0': { ageDays: 30 },
    }, '1.3.0')
    profile('web', `${pin('tool', 'TOOL')}FROM a:1\n`)
    expect((await upgrade('web')).pins).toMatchObject([{ state: 'newer', next: { version: '1.1.0', integrity: integrityOf('tool@1.1.0') }, held: { version: '1.3.0', ageDays: 1 } }])
  })

  it('is only taken when it is the one that the person agreed to', async () => {
    registry.publish('tool', { '1.0.0': { ageDays: 100 }, '1.1.0': { ageDays: 30 } })
    registry.publish('other', { '1.0.0': { ageDays: 100 }, '1.1.0': { ageDays: 30 } })
    const file = profile('web', `${pin('tool', 'TOOL')}${pin('other', 'OTHER')}FROM a:1\n`)
    const shown = ['tool', 'other'].map((npm) => ({ profile: 'web', npm, version: '1.1.0' }))
    registry.publish('tool', { '1.0.0': { ageDays: 100 }, '1.1.0': { ageDays: 30 }, '1.2.0': { ageDays: 3 } })
    expect(await upgrade('web', { shown })).toMatchObject({ pins: [{ npm: 'tool', next: { version: '1.2.0' } }, { npm: 'other' }], written: [file] })
    expect(readFileSync(file, 'utf8')).toContain('TOOL_VERSION=1.0.0')
    expect(readFileSync(file, 'utf8')).toContain('OTHER_VERSION=1.1.0')
  })

  it('is told as soon as it is known', async () => {
    registry.publish('tool', { '1.0.0': { ageDays: 100 } })
    profile('web', `${pin('tool', 'TOOL')}${pin('missing', 'MISSING')}FROM a:1\n`)
    const told: unknown[] = []
    await upgrade('web', { onJudged: ({ state }, done, total) => told.push([state, done, total]) })
    expect(told.map((one) => (one as unknown[]).slice(1))).toEqual([[1, 2], [2, 2]])
  })

  it('is held back and named while it is young', async () => {
    registry.publish('tool', { '1.0.0': { ageDays: 100 }, '1.1.0': { ageDays: 1 } })
    const file = profile('web', `${pin('tool', 'TOOL')}FROM a:1\n`)
    const before = readFileSync(file, 'utf8')
    expect((await upgrade('web')).pins).toMatchObject([{ state: 'held', next: null, held: { version: '1.1.0', ageDays: 1 } }])
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect((await upgrade('web', { minAgeDays: 0 })).pins).toMatchObject([{ state: 'newer', next: { version: '1.1.0' } }])
  })

  it('of a profile below is taken there; a bundled one becomes the person’s own', async () => {
    registry.publish('@scope/tool', { '1.0.0': { ageDays: 100 }, '1.1.0': { ageDays: 10 } })
    const bundledFile = profile('base', `${pin('@scope/tool', 'TOOL')}FROM a:1\n`, 'bundled')
    const before = readFileSync(bundledFile, 'utf8')
    profile('web', 'FROM localhost/paddock-base:latest\n')
    expect((await upgrade('web')).written).toEqual([join(folders.user, 'base/Containerfile')])
    expect(readFileSync(bundledFile, 'utf8')).toBe(before)
    expect(readFileSync(join(folders.user, 'base/Containerfile'), 'utf8')).toContain('ARG TOOL_VERSION=1.1.0\n')
  })
})

describe('a registry that cannot be trusted changes nothing, not even for other packages, and says so', () => {
  it.each<[what: string, answer: () => void, why: RegExp]>([
    ['answers 500', () => registry.answer('tool', { kind: 'status', status: 500 }), /500/],
    ['knows no such package', () => registry.answer('tool', { kind: 'status', status: 404 }), /404|not found/i],
    ['hangs', () => registry.answer('tool', { kind: 'hang' }), /did not answer within 12 seconds/],
    ['answers with something else', () => registry.answer('tool', { kind: 'body', body: '<html>' }), /./],
    ['gives half a JSON', () => registry.answer('tool', { kind: 'body', body: '{"name": "tool", "versions": {' }), /./],
    ['gives an integrity that is none', () => registry.publish('tool', { '1.0.0': { ageDays: 100 }, '1.1.0': { ageDays: 10, integrity: 'sha512-short' } }), /no SHA-512/],
    ['gives a weaker integrity', () => registry.publish('tool', { '1.0.0': { ageDays: 100 }, '1.1.0': { ageDays: 10, integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' } }), /no SHA-512/],
    ['gives another integrity for what is pinned', () => registry.publish('tool', { '1.0.0': { ageDays: 100, integrity: integrityOf('other') } }), /another integrity/],
    ['names another package', () => registry.publish('tool', { '1.0.0': { ageDays: 100 }, '1.1.0': { ageDays: 10 } }, '1.1.0', 'evil'), /not what npm gives/],
  ])('one that %s', async (_what, answer, why) => {
    registry.publish('good', { '1.0.0': { ageDays: 100 }, '1.1.0': { ageDays: 10 } })
    answer()
    const file = profile('web', `${pin('tool', 'TOOL')}${pin('good', 'GOOD')}FROM a:1\n`)
    const before = readFileSync(file, 'utf8')
    const report = await upgrade('web', { timeoutMs: 12_000 })
    expect(report.pins).toMatchObject([{ npm: 'tool', state: 'failed', next: null, error: expect.stringMatching(why) }, { npm: 'good', state: 'newer' }])
    expect(report.written).toEqual([])
    expect(readFileSync(file, 'utf8')).toBe(before)
  }, 60_000)

  it('one that is down', async () => {
    await registry.close()
    const file = profile('web', `${pin('tool', 'TOOL')}FROM a:1\n`)
    const before = readFileSync(file, 'utf8')
    expect((await upgrade('web')).pins).toMatchObject([{ state: 'failed', error: expect.stringMatching(/ECONNREFUSED/) }])
    expect(readFileSync(file, 'utf8')).toBe(before)
  })
})

it('takes no word of a file for an option of npm', async () => {
  profile('web', `${pin('--registry=http://127.0.0.1:1', 'TOOL')}${pin('../x', 'B')}FROM a:1\n`)
  expect((await upgrade('web')).pins).toMatchObject([{ state: 'failed', error: expect.stringContaining('is not the name') }, { state: 'failed' }])
  expect(registry.asked()).toEqual([])
})

it('takes nothing in a heredoc or without a comment for a pin', async () => {
  profile('web', `FROM a:1\nRUN <<EOF\n${pin('tool', 'TOOL')}EOF\nARG X_VERSION=1.0.0\nARG X_INTEGRITY=${old}\n`)
  expect((await upgrade('web')).pins).toEqual([])
})

it('tells which base images there are', async () => {
  profile('web', 'FROM debian:trixie-slim\n')
  expect((await upgrade('web')).bases).toEqual([{ profile: 'web', image: 'debian:trixie-slim', created: null }])
})
