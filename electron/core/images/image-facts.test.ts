import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakePodman, type FakePodman, recording, type Rule } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import { createImageFacts } from './image-facts.ts'

const minimal = 'localhost/paddock:minimal'
const gone = 'localhost/nope:latest'
let fake: FakePodman
let file: string
let list: string
let rules: Rule[]
beforeEach(() => {
  fake = createFakePodman()
  file = join(fake.folder, 'cache/image-facts.json')
  const info = JSON.parse(recording('info.json'))
  info.store.graphRoot = join(fake.folder, 'storage')
  list = join(info.store.graphRoot, 'overlay-images/images.json')
  mkdirSync(join(list, '..'), { recursive: true })
  writeFileSync(list, '[]')
  rules = [
    { on: '^info', stdout: JSON.stringify(info) },
    { on: `^image inspect.* ${gone}`, stdout: { recording: 'image-inspect.json' }, stderr: { recording: 'image-missing.stderr' }, exit: 125 },
    { on: '^image inspect', stdout: { recording: 'image-inspect.json' } },
  ]
  fake.answer(rules)
})
afterEach(() => fake.remove())
const ask = (...references: string[]) => createImageFacts(fake.podman, file)(references)
const asked = () => fake.calls().filter(([verb]) => verb === 'image').length
/** As Podman does at every change of its images. */
function replaceList() {
  writeFileSync(`${list}.new`, '[]')
  renameSync(`${list}.new`, list)
}

describe('createImageFacts', () => {
  it('asks Podman once, and not again while its list of images stays as it is', async () => {
    const first = await ask(minimal)
    expect(first.get(minimal)).toMatchObject({ id: expect.stringMatching(/^f989edb8/), labels: { 'dev.paddock.profile': 'minimal' } })
    expect(await ask(minimal)).toEqual(first)
    expect(asked()).toBe(1)
  })

  it('remembers that an image is not there', async () => {
    expect([...(await ask(minimal, gone)).keys()]).toEqual([minimal])
    expect([...(await ask(gone)).keys()]).toEqual([])
    expect(asked()).toBe(1)
  })

  it('knows no image by the name of a JavaScript property', async () => {
    await ask(minimal)
    expect([...(await ask('constructor')).keys()]).toEqual([])
    expect(asked()).toBe(2)
  })

  it('asks for what was not asked before, and keeps the rest', async () => {
    await ask(minimal)
    await ask(gone, minimal)
    await ask(minimal)
    await ask(gone)
    expect(asked()).toBe(2)
  })

  it.each<[what: string, change: () => void]>([
    ['Podman replaced its list, even by an equal one', () => replaceList()],
    ['the list was written in place', () => writeFileSync(list, '[{}]')],
    ['the memory is damaged', () => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 50))],
    ['the memory is of another form', () => writeFileSync(file, '{"images": {}}')],
    ['the memory is of another Podman', () => writeFileSync(file, readFileSync(file, 'utf8').replace(fake.path, '/other/podman'))],
  ])('asks again when %s', async (_what, change) => {
    await ask(minimal)
    change()
    await ask(minimal)
    expect(asked()).toBe(2)
    await ask(minimal)
    expect(asked()).toBe(2)
  })

  it('asks together what is asked at once, and answers each what it asked', async () => {
    const facts = createImageFacts(fake.podman, file)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => facts([`localhost/paddock:none-${at}`, minimal])))
    expect(answers.map((answer) => [...answer.keys()])).toEqual(answers.map(() => [minimal]))
    expect(asked()).toBe(1)
    await Promise.all([facts([gone]), facts([minimal])])
    expect(asked()).toBe(2)
  })

  it('does not let what one question breaks on be the failure of the others', async () => {
    fake.answer([{ on: '^image inspect.* BAD', exit: 125, stderr: 'Error: invalid reference format\n' }, ...rules])
    const facts = createImageFacts(fake.podman, file)
    const [good, bad] = await Promise.allSettled([facts([minimal]), facts(['BAD'])])
    expect(good).toMatchObject({ status: 'fulfilled' })
    expect(bad).toMatchObject({ status: 'rejected', reason: { report: { code: 'podman-failed' } } })
  })

  it('does not take over what it knew of other images after a change', async () => {
    await ask(minimal, gone)
    replaceList()
    await ask(minimal)
    await ask(gone)
    expect(asked()).toBe(3)
  })

  it('does without memory where Podman’s list is not to be found, or the memory cannot be written', async () => {
    renameSync(list, `${list}.gone`)
    await ask(minimal)
    await ask(minimal)
    expect(asked()).toBe(2)
    renameSync(`${list}.gone`, list)
    writeFileSync(join(fake.folder, 'cache'), 'no folder')
    expect((await ask(minimal)).size).toBe(1)
  })

  it.each<[what: string, rule: Omit<Rule, 'on'>]>([
    ['another failure than a missing image', { exit: 125, stderr: 'Error: database is locked\n', stdout: '[]' }],
    ['half an answer', { stdout: { recording: 'image-inspect.json' }, misbehave: 'half-json' }],
    ['a Podman that was killed', { stdout: '[]', misbehave: 'die-by-signal' }],
    ['no answer', { stdout: '' }],
  ])('reports %s, and remembers nothing of it', async (_what, rule) => {
    fake.answer([rules[0]!, { on: '^image inspect', times: 1, ...rule }, ...rules])
    await expect(ask(minimal)).rejects.toMatchObject({ report: { code: 'podman-failed' } })
    expect((await ask(minimal)).size).toBe(1)
  })
})
