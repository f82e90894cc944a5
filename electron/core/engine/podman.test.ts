import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakePodman, type FakePodman, recording, type Rule } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import { inspectContainers, listContainers, removeContainer } from './containers.ts'
import { inspectImages, listReplacedImages } from './images.ts'
import { podmanInfo } from './info.ts'
import { findPodman } from './podman-path.ts'
import { createPodman, parseReply } from './podman.ts'

let fake: FakePodman
beforeEach(() => {
  fake = createFakePodman()
})
afterEach(() => {
  vi.unstubAllEnvs()
  fake.remove()
})
const always = (rule: Omit<Rule, 'on'>) => fake.answer([{ on: '', ...rule }])

describe('run', () => {
  it('returns what Podman printed when it succeeded', async () => {
    always({ stdout: 'out\n', stderr: 'a warning\n' })
    expect(await fake.podman.run(['x', 'a b'])).toMatchObject({ stdout: 'out\n', stderr: 'a warning\n', exitCode: 0 })
    expect(fake.calls()).toEqual([['x', 'a b']])
  })

  it.each<[what: string, rule: Omit<Rule, 'on'>, report: object]>([
    ['fails', { exit: 125, stderr: 'warning: x\nError: no such thing.\n' }, { message: 'Podman failed: no such thing.', exitCode: 125, stderrTail: 'warning: x\nError: no such thing.' }],
    ['fails without a word', { exit: 1 }, { message: 'Podman failed: exit code 1.', exitCode: 1 }],
    ['is killed', { misbehave: 'die-by-signal' }, { message: 'Podman failed: exit code 137.', exitCode: 137 }],
    ['fails with much to say', { exit: 125, stderr: `${'x'.repeat(9_000)}\nError: end\n` }, { message: 'Podman failed: end.', stderrTail: expect.stringMatching(/^x{100,2000}\nError: end$/) }],
  ])('rejects when it %s', async (_what, rule, report) => {
    always(rule)
    await expect(fake.podman.run(['x'])).rejects.toMatchObject({ report: { code: 'podman-failed', command: [fake.path, 'x'], ...report } })
  })

  it('rejects when it does not answer in time, even with exit code 0', async () => {
    always({ misbehave: 'exit-0-on-sigterm' })
    await expect(fake.podman.run(['x'], { timeoutMs: 1_500 })).rejects.toMatchObject({ report: { code: 'podman-failed', message: 'Podman failed: it did not answer in time.' } })
  })

  it('rejects as cancelled at Ctrl-C', async () => {
    always({ misbehave: 'hang' })
    await expect(fake.podman.run(['x'], { signal: AbortSignal.timeout(300) })).rejects.toMatchObject({ report: { code: 'cancelled' } })
  })

  it('keeps secrets out of its report', async () => {
    always({ exit: 125 })
    await expect(fake.podman.run(['run', '--env=API_TOKEN=hunter2'])).rejects.toMatchObject({ report: { command: [fake.path, 'run', '--env=API_TOKEN=***'] } })
  })
})

describe('a Podman whose processes were all killed', () => {
  const lost = { exit: 1, stderr: 'time="…" level=error msg="invalid internal status, try resetting the pause process with \"podman system migrate\": could not find any running process: no such process"\n' }
  beforeEach(() => vi.stubEnv('XDG_STATE_HOME', join(fake.folder, 'state')))

  it('is mended once for all who ask, and asked again', async () => {
    fake.answer([
      // Podman 5.4 crashes after each sandbox.
      { on: '^system migrate', exit: 2, stdout: 'stopped abc\n', stderr: 'panic: nil pointer\n', times: 1 },
      { on: '^system migrate', times: 1 },
      { on: '^(x|ps --quiet)$', stdout: 'answer', after: 1 },
      { on: '', ...lost },
    ])
    const answers = await Promise.all([fake.podman.run(['x']), fake.podman.run(['x'])])
    expect(answers.map(({ stdout }) => stdout)).toEqual(['answer', 'answer'])
    expect(fake.calls().filter(([verb]) => verb === 'system')).toHaveLength(2)
  })

  it('that stays as it is is named, and not asked for ever', async () => {
    fake.answer([{ on: '^system migrate', exit: 125, stderr: 'Error: no\n' }, { on: '', ...lost }])
    await expect(fake.podman.run(['x'])).rejects.toMatchObject({ report: { code: 'podman-failed', hint: expect.stringContaining('podman system migrate') } })
    expect(fake.calls()).toEqual([['x'], ['ps', '--quiet'], ['system', 'migrate']])
  })

  it('leaves what fails otherwise alone', async () => {
    fake.answer([{ on: '', exit: 1, stderr: 'Error: no such container\n' }])
    await expect(fake.podman.run(['x'])).rejects.toMatchObject({ report: { code: 'podman-failed' } })
    expect(fake.calls()).toEqual([['x']])
  })
})

it('a Podman that is not there, or no program, is named', async () => {
  const plain = join(fake.folder, 'plain')
  writeFileSync(plain, 'text')
  for (const path of [join(fake.folder, 'absent'), plain]) {
    await expect(createPodman(path).try(['x'])).rejects.toMatchObject({ report: { code: 'podman-missing', message: expect.stringContaining(path) } })
  }
})

it('never reaches a remote Podman that the environment names', async () => {
  vi.stubEnv('CONTAINER_HOST', 'tcp://evil:1')
  vi.stubEnv('CONTAINER_CONNECTION', 'evil')
  writeFileSync(fake.path, '#!/bin/sh\necho "[$CONTAINER_HOST][$CONTAINER_CONNECTION]"\n')
  expect((await fake.podman.run(['x'])).stdout).toBe('[][]\n')
})

it.each([
  ['half an answer', '[{"Id": "a"'],
  ['another form', '[{"id": "a"}]'],
  ['nothing', ''],
  ['no JSON', 'Error'],
])('parseReply refuses %s', (_what, stdout) => {
  const ended = { stdout, stderr: '', exitCode: 0, ended: 'exited' as const, command: ['podman'] }
  expect(() => parseReply(z.array(z.object({ Id: z.string() })), ended)).toThrow(/^Podman answered something that Paddock does not understand: /)
})

describe('questions, answered by recordings of the real Podman', () => {
  it('containers', async () => {
    fake.answer([
      { on: '^ps ', stdout: { recording: 'ps.json' } },
      { on: '^container inspect .* gone$', stdout: { recording: 'container-inspect.json' }, stderr: { recording: 'container-missing.stderr' }, exit: 125 },
      { on: '^container inspect locked$', stdout: '[]', stderr: 'Error: database is locked\n', exit: 125 },
    ])
    const [listed] = await listContainers(fake.podman)
    expect(listed).toMatchObject({ State: 'running', Image: 'localhost/paddock:minimal' })
    expect((await inspectContainers(fake.podman, [listed!.Id, 'gone'])).map(({ Id }) => Id)).toEqual([listed!.Id])
    await expect(inspectContainers(fake.podman, ['locked'])).rejects.toMatchObject({ report: { hint: expect.stringContaining('Another Podman') } })
    expect(await inspectContainers(fake.podman, [])).toEqual([])
  })

  it('images', async () => {
    const id = JSON.parse(recording('image-inspect.json'))[0].Id as string
    fake.answer([
      { on: '^image inspect', stdout: { recording: 'image-inspect.json' }, stderr: { recording: 'image-missing.stderr' }, exit: 125 },
      { on: '^images ', stdout: { recording: 'images-dangling.json' } },
    ])
    expect([...(await inspectImages(fake.podman, ['localhost/paddock:minimal', id, 'localhost/paddock', 'localhost/nope:latest'])).keys()]).toEqual(['localhost/paddock:minimal', id])
    expect(await listReplacedImages(fake.podman)).toEqual([{ id: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: 285686877 }])
  })

  it('info, for Podman’s own runtime and for another', async () => {
    fake.answer([{ on: '^info', stdout: { recording: 'info.json' } }, { on: '^--runtime krun info', stderr: { recording: 'runtime-missing.stderr' }, exit: 125 }])
    expect(await podmanInfo(fake.podman)).toMatchObject({ host: { networkBackend: 'netavark', security: { rootless: true } }, version: { Version: '5.4.2' } })
    await expect(podmanInfo(fake.podman, 'krun')).rejects.toMatchObject({ report: { hint: expect.stringContaining('krun is missing') } })
  })

  it('removing forces, and does not mind what is gone', async () => {
    always({})
    await removeContainer(fake.podman, 'abc')
    expect(fake.calls()).toEqual([['rm', '--force', '--ignore', '--time', '0', 'abc']])
  })
})

describe('findPodman', () => {
  it('takes PADDOCK_PODMAN, else the private one where that can be executed, else the path’s', () => {
    const folder = mkdtempSync(join(tmpdir(), 'path-test-'))
    const own = join(folder, 'podman')
    expect(findPodman(own, {})).toBe('podman')
    writeFileSync(own, '')
    chmodSync(own, 0o644)
    expect(findPodman(own, { PADDOCK_PODMAN: '' })).toBe('podman')
    chmodSync(own, 0o755)
    expect(findPodman(own, {})).toBe(own)
    expect(findPodman(own, { PADDOCK_PODMAN: '/mine' })).toBe('/mine')
    rmSync(folder, { recursive: true })
  })
})
