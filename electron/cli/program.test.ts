import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakePodman, type FakePodman } from '../../e2e/fixtures/fake-podman/fake-podman.ts'
import type { Handlers } from '../../shared/contract/contract.ts'
import { PaddockError } from '../../shared/errors/paddock-error.ts'
import { createCore } from '../core/core.ts'
import { createProgram } from './program.ts'
import { createSession } from './session.ts'

let fake: FakePodman
let folder: string
let out: string
let err: string
let asked: [name: string, input: unknown][]
beforeEach(() => {
  fake = createFakePodman()
  folder = mkdtempSync(join(tmpdir(), 'program-test-'))
  out = ''
  err = ''
  asked = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += text), true))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += text), true))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  fake.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** The command over a real core, its calls noted; the handlers that are given answer in place of the core's. */
async function paddock(argv: string[], answers: Partial<Handlers> = {}): Promise<number> {
  const environment = { XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache'), PADDOCK_PODMAN: fake.path }
  const core = createCore({ bundledProfiles: join(folder, 'bundled'), environment })
  const handlers = { ...core.handlers, ...answers }
  const noted = Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, (input: never, context: never) => (asked.push([name, input]), handler(input, context))]))
  return createProgram(createSession({ ...core, handlers: noted as unknown as Handlers }, () => {})).run(argv)
}
const stopHere: Partial<Handlers> = { 'sandbox.prepare': () => Promise.reject(new PaddockError({ code: 'cancelled', message: 'enough' })) }
async function prepared(...argv: string[]) {
  await expect(paddock(argv, stopHere)).rejects.toMatchObject({ report: { message: 'enough' } })
  return asked[0]![1]
}

describe('a wrong use ends with 2, is explained on stderr, and reaches nothing', () => {
  it.each([
    [['nonsense']], [['run', '--nonsense']], [['run', 'a', 'b']], [['run', '--isolation', 'none']], [['run', '--project']], [['stop']], [['rm', '--force']],
    [['attach']], [['attach', 'a', 'b']], [['ls', 'extra']], [['build', 'a', 'b']], [['profiles', '--csv']], [['doctor', 'x']], [['--nonsense']], [[]],
  ])('%j', async (argv) => {
    expect(await paddock(argv)).toBe(2)
    expect(err).toMatch(/paddock/)
    expect(out).toBe('')
    expect(asked).toEqual([])
    expect(fake.calls()).toEqual([])
  })
})

it.each([[['--help']], [['run', '--help']], [['ls', '-h']], [['--version']], [['help', 'run']]])('%j prints on stdout and ends with 0', async (argv) => {
  expect(await paddock(argv)).toBe(0)
  expect(out).toMatch(/./)
  expect(err).toBe('')
  expect(asked).toEqual([])
})

describe('run', () => {
  it('asks for the default profile on this folder', async () => {
    vi.stubEnv('PADDOCK_CWD', undefined)
    expect(await prepared('run')).toMatchObject({ cwd: process.cwd(), command: [], acceptFindings: false })
  })

  it('takes the folder where npm was called for this folder', async () => {
    vi.stubEnv('PADDOCK_CWD', '/where/the/person/stood')
    expect(await prepared('run', 'minimal', '--project', 'sub')).toMatchObject({ profile: 'minimal', project: 'sub', cwd: '/where/the/person/stood' })
  })

  it.each<[argv: string[], command: string[]]>([
    [['run', '--', 'ls', '-la', '--help'], ['ls', '-la', '--help']],
    [['run', 'minimal', '--', '--', '-x'], ['--', '-x']],
    [['run', '--', '--accept-findings', '--isolation', 'container'], ['--accept-findings', '--isolation', 'container']],
    [['run', '--', ''], ['']],
    [['run', '--'], []],
  ])('hands over what stands behind -- as it is: %j', async (argv, command) => {
    expect(await prepared(...argv)).toMatchObject({ command, acceptFindings: false })
    expect((asked[0]![1] as { isolation?: string }).isolation).toBeUndefined()
  })

  it('reads flags on both sides of the profile', async () => {
    expect(await prepared('run', '--isolation', 'container', 'minimal', '--accept-findings', '--base-image', 'x', '--project', '-odd', '--', 'true')).toMatchObject({
      profile: 'minimal', isolation: 'container', acceptFindings: true, baseImage: 'x', project: '-odd', command: ['true'],
    })
  })

  it('refuses an unknown profile, and base, before Podman is asked', async () => {
    mkdirSync(join(folder, 'bundled/base'), { recursive: true })
    writeFileSync(join(folder, 'bundled/base/Containerfile'), 'FROM debian\n')
    await expect(paddock(['run', 'nope'])).rejects.toMatchObject({ report: { code: 'profile-unknown' } })
    await expect(paddock(['run', 'base'])).rejects.toMatchObject({ report: { code: 'profile-not-runnable' } })
    expect(fake.calls()).toEqual([])
  })

  it('asks nobody for consent where there is nobody: it fails', async () => {
    const refuse: Partial<Handlers> = { 'sandbox.prepare': () => Promise.reject(new PaddockError({ code: 'findings-not-accepted', message: 'no' })) }
    await expect(paddock(['run'], refuse)).rejects.toMatchObject({ report: { code: 'findings-not-accepted' } })
    expect(asked).toHaveLength(1)
  })
})

describe('listings', () => {
  it('are JSON on stdout, with nothing else there', async () => {
    fake.answer([{ on: '^ps ', stdout: '[]' }])
    expect(await paddock(['ls', '--json'])).toBe(0)
    expect(JSON.parse(out)).toEqual([])
    expect(await paddock(['profiles', '--json'])).toBe(0)
  })

  it('of checks end with 1 only when one fails', async () => {
    const check = (status: 'ok' | 'warn' | 'fail') => async () => [{ name: 'x', status, found: 'f', fix: null }]
    expect(await paddock(['doctor'], { 'doctor.check': check('warn') })).toBe(0)
    expect(await paddock(['doctor'], { 'doctor.check': check('fail') })).toBe(1)
    expect(await paddock(['doctor', '--json'], { 'doctor.check': check('fail') })).toBe(1)
  })
})

describe('stop, rm and prune', () => {
  it('print ids on stdout and words on stderr', async () => {
    expect(await paddock(['stop', 'a', 'b'], { 'sandbox.stop': async () => ['a1'] })).toBe(0)
    expect([out, asked[0]]).toEqual(['a1\n', ['sandbox.stop', { ids: ['a', 'b'] }]])
    expect(await paddock(['rm', '-f', 'c'], { 'sandbox.remove': async () => [] })).toBe(0)
    expect(asked[1]).toEqual(['sandbox.remove', { ids: ['c'], force: true }])
    expect(err).toContain('It is gone already.')
  })

  it('prune removes nothing without a yes', async () => {
    const found = [{ kind: 'image' as const, id: 'a1'.repeat(32), what: 'w', bytes: 1 }]
    const answers: Partial<Handlers> = { 'sandbox.prunable': async () => found, 'sandbox.prune': async ({ items }) => items }
    expect(await paddock(['prune'], answers)).toBe(0)
    expect(asked.map(([name]) => name)).toEqual(['sandbox.prunable'])
    expect(await paddock(['prune', '--yes', '--json'], answers)).toBe(0)
    expect(JSON.parse(out)).toEqual({ found, removed: found })
  })
})

describe('egress on a terminal', () => {
  const tunnel = { key: 'k', at: '2026-11-30T10:00:00.000Z', host: 'a.example', port: 443, method: 'CONNECT', path: null, allowed: true, rule: '*.example', reason: 'listed' as const, agent: null }
  const began = { ...tunnel, n: 1, sent: null, received: null }
  const ended = { ...tunnel, n: 2, sent: 100, received: 1_000 }

  it('follows with a day and a time, and tells the end of a tunnel as one', async () => {
    vi.stubEnv('TZ', 'UTC')
    const isTTY = Object.getOwnPropertyDescriptor(process.stdout, 'isTTY')
    Object.defineProperty(process.stdout, 'isTTY', { value: true, configurable: true })
    try {
      const answers = [{ requests: [began], last: 1, hasEnded: false }, { requests: [ended], last: 2, hasEnded: false }, { requests: [], last: 2, hasEnded: true }]
      expect(await paddock(['egress', 'a', '--follow'], { 'egress.requests': async () => ({ ...answers.shift()!, totals: [] }) })).toBe(0)
    } finally {
      if (isTTY) Object.defineProperty(process.stdout, 'isTTY', isTTY)
      else Reflect.deleteProperty(process.stdout, 'isTTY')
    }
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['TIME', 'HOST', 'PORT', 'METHOD', 'BYTES', 'ANSWER', 'WHY'],
      ['2026-11-30 10:00:00', 'a.example', '443', 'CONNECT', 'open', 'allowed', '*.example'],
      ['2026-11-30 10:00:00', 'a.example', '443', 'CONNECT', '1100', 'ended'],
      [''],
    ])
  })
})

it('Ctrl-C during a call cancels it, and its error says so', async () => {
  const hang: Partial<Handlers> = {
    'sandbox.list': (_input, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  }
  const before = process.listenerCount('SIGINT')
  const listing = paddock(['ls'], hang)
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  process.emit('SIGINT', 'SIGINT')
  await expect(listing).rejects.toMatchObject({ report: { code: 'cancelled' } })
  expect(process.listenerCount('SIGINT')).toBe(before)
})
