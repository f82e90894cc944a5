import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFakePodman, type FakePodman, recording, type Rule } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import type { CallContext, Progress } from '../../../shared/contract/contract.ts'
import { parseContainerfile } from '../profiles/containerfile.ts'
import { buildImage, type BuildRequest, StepFollower } from './build-image.ts'

let fake: FakePodman
let folder: string
let progress: Progress[]
let abort: AbortController
let context: CallContext
beforeEach(() => {
  fake = createFakePodman()
  folder = mkdtempSync(join(tmpdir(), 'build-test-'))
  progress = []
  abort = new AbortController()
  context = { signal: abort.signal, onProgress: (one) => progress.push(one) }
  vi.stubEnv('npm_config_userconfig', join(folder, 'npmrc'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  fake.remove()
  rmSync(folder, { recursive: true, force: true })
})

const id = 'f9'.repeat(32)
const label = 'podman run --rm --userns keep-id:uid=1000,gid=1000 IMAGE'
const absent = { on: '^cp ', exit: 125, stderr: 'Error: "/.krun_vm.json" could not be found on container c0ffee: no such file or directory\n' }
const preparing: Rule[] = [{ on: '^create ', stdout: 'warning of some kind\nc0ffee\n' }, absent, { on: '^rm ' }, { on: '^tag ' }]
/** A build that writes its image id where it is told. */
const built: Rule = { on: '^build ', stdout: 'STEP 1/1: FROM a\n', writesOption: { '--iidfile': `sha256:${id}` } }

function request(text = 'FROM a\nARG BASE_IMAGE\n', changed: Partial<BuildRequest> = {}): BuildRequest {
  const profile = { name: 'mine', image: 'localhost/paddock:mine', source: 'user' as const, folder }
  return {
    definition: { profile, text, containerfile: parseContainerfile(text), parents: [] },
    inputs: { 'file:Containerfile': 'c1' }, buildArgs: { BASE_IMAGE: 'debian', OTHER: 'x' }, runLabel: label, fromScratch: false, ...changed,
  }
}
const build = (changed?: BuildRequest) => buildImage(fake.podman, changed ?? request(), context)
const verbs = () => fake.calls().map(([verb]) => verb)

describe('buildImage', () => {
  it('builds, looks into the image, and only then gives it its name', async () => {
    fake.answer([built, ...preparing])
    await build()
    const [buildArgs, ...rest] = fake.calls()
    expect(buildArgs).toEqual(expect.arrayContaining(['--file', join(folder, 'Containerfile'), '--build-arg', 'BASE_IMAGE=debian', 'dev.paddock.profile=mine', 'dev.paddock.inputs={"file:Containerfile":"c1"}']))
    expect(buildArgs!.at(-1)).toBe(folder)
    expect(buildArgs!.filter((word) => ['--tag', '-t', '--secret', '--no-cache', 'OTHER=x'].includes(word))).toEqual([])
    expect(rest).toEqual([
      ['create', '--userns', 'keep-id:uid=1000,gid=1000', '--network', 'none', '--entrypoint', '', id, '/bin/true'],
      ['cp', 'c0ffee:/.krun_vm.json', '-'],
      ['rm', '--force', '--ignore', '--time', '0', 'c0ffee'],
      ['tag', id, 'localhost/paddock:mine'],
    ])
  })

  it('names an image that cannot be run without looking into it', async () => {
    fake.answer([built, ...preparing])
    await build(request('FROM a', { runLabel: undefined }))
    expect(verbs()).toEqual(['build', 'tag'])
  })

  it.each([
    ['FROM a', ['--no-cache', '--pull=newer']],
    ['FROM localhost/paddock-base:latest', ['--no-cache']],
  ])('from scratch uses no cache, and looks for a newer base only where a registry has it: %s', async (text, options) => {
    fake.answer([built, ...preparing])
    await build(request(text, { fromScratch: true }))
    expect(fake.calls()[0]!.filter((word) => ['--no-cache', '--pull=newer'].includes(word))).toEqual(options)
  })

  it('shows the output line by line', async () => {
    fake.answer([{ ...built, stdout: 'STEP 1/2: FROM a\n', stderr: 'ein Wort ✓\n' }, ...preparing])
    await build()
    expect(progress).toEqual(expect.arrayContaining([{ kind: 'log', text: 'STEP 1/2: FROM a' }, { kind: 'log', text: 'ein Wort ✓' }]))
  })

  it('hands over a private registry’s credentials as a secret that does not stay', async () => {
    writeFileSync(join(folder, 'npmrc'), 'registry=https://npm.example.org/\n//npm.example.org/:_authToken=t\n')
    fake.answer([built, ...preparing])
    await build()
    const secret = fake.calls()[0]!.find((word) => word.startsWith('id=npmrc,src='))!
    expect(secret).toBeDefined()
    expect(existsSync(secret.replace('id=npmrc,src=', ''))).toBe(false)
  })
})

describe('a build that fails', () => {
  it('names its step and keeps the old image, as a real build failed', async () => {
    fake.answer([{ on: '^build ', stdout: recording('build-failed.txt'), exit: 3 }])
    await expect(build()).rejects.toMatchObject({
      report: {
        code: 'build-failed', message: 'Building localhost/paddock:mine failed at step 3/3: RUN echo "two ✓" && exit 3.', exitCode: 3,
        stderrTail: expect.stringContaining('while running runtime: exit status 3'), hint: expect.stringContaining('an older image, if there is one, was kept'),
      },
    })
    expect(verbs()).toEqual(['build'])
  })

  it('knows what is to be done about a full disk', async () => {
    fake.answer([{ on: '^build ', stderr: 'Error: committing: write /x: no space left on device\n', exit: 125 }])
    await expect(build()).rejects.toMatchObject({ report: { code: 'build-failed', message: 'Building localhost/paddock:mine failed.', hint: expect.stringContaining('The disk is full') } })
  })

  it('killed by a signal is a failure too', async () => {
    fake.answer([{ on: '^build ', stdout: 'STEP 1/2: FROM a\n', misbehave: 'die-by-signal' }])
    await expect(build()).rejects.toMatchObject({ report: { code: 'build-failed', exitCode: 137, message: expect.stringContaining('step 1/2') } })
  })

  it('by Ctrl-C says that it was cancelled', async () => {
    fake.answer([{ on: '^build ', misbehave: 'hang' }])
    const building = build()
    await vi.waitFor(() => expect(fake.calls()).toHaveLength(1), { timeout: 5_000 })
    abort.abort()
    await expect(building).rejects.toMatchObject({ report: { code: 'cancelled' } })
  })
})

describe('an image that is refused gets no name', () => {
  const refuse = async (rules: Rule[], report: object) => {
    fake.answer([built, ...rules, ...preparing])
    await expect(build()).rejects.toMatchObject({ report })
    expect(verbs()).not.toContain('tag')
  }

  it('because it would configure its own microVM', async () => {
    await refuse([{ on: '^cp ', stdout: 'a tar' }], { code: 'build-failed', message: expect.stringContaining('/.krun_vm.json') })
    expect(verbs()).toEqual(['build', 'create', 'cp', 'rm'])
  })

  it('also with one that is too long to read', async () => {
    await refuse([{ on: '^cp ', misbehave: 'huge-output' }], { code: 'build-failed' })
  })

  it('because it could not be looked into', async () => {
    await refuse([{ on: '^cp ', exit: 125, stderr: 'Error: database is locked\n' }], { code: 'podman-failed' })
    await refuse([{ on: '^create ', exit: 125, stderr: 'Error: no subuid ranges found\n' }], { code: 'podman-failed', hint: expect.stringContaining('subordinate ids') })
  })

  it('because its label cannot be used', async () => {
    fake.answer([built, ...preparing])
    await expect(build(request('FROM a', { runLabel: 'sh -c evil' }))).rejects.toMatchObject({ report: { code: 'label-invalid' } })
    expect(verbs()).toEqual(['build'])
  })
})

describe('StepFollower', () => {
  it.each([
    ['STEP 3/9: RUN apt-get update', '3/9: RUN apt-get update'],
    ['[1/2] STEP 4/5: COPY a /', '4/5: COPY a /'],
    ['--> 0123', null],
    ['echo STEP 1/2: no', null],
  ])('%s', (line, step) => {
    const follower = new StepFollower()
    follower.add(line)
    expect(follower.current).toBe(step)
  })

  it('keeps the last 20 lines', () => {
    const follower = new StepFollower()
    for (let line = 1; line <= 50; line++) follower.add(String(line))
    expect([follower.tail.length, follower.tail[0], follower.tail.at(-1)]).toEqual([20, '31', '50'])
  })
})
