import { describe, expect, it } from 'vitest'
import { recording } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import type { ImageFacts } from '../engine/images.ts'
import { type Inputs, sourceHash } from './inputs.ts'
import { imageLabels, judgeStaleness } from './staleness.ts'

const then: Inputs = { 'file:Containerfile': 'c1', 'file:entrypoint': 'e1', 'image:localhost/paddock-base:latest': 'i1', 'arg:BASE_IMAGE': 'debian' }
const created = '2026-11-29T12:00:00Z'
const image = (inputs: Inputs, labels: Record<string, string> = {}): ImageFacts => ({
  id: 'x', created, labels: { [imageLabels.profile]: 'mine', [imageLabels.source]: sourceHash(inputs), [imageLabels.inputs]: JSON.stringify(inputs), ...labels },
})
const never = async () => { throw new Error('not to be asked') }
const judge = (inputs: Inputs, facts: ImageFacts | undefined = image(then), newestFileMs: () => Promise<number> = never) =>
  judgeStaleness({ profile: 'mine', image: facts, inputs, newestFileMs })
const without = (name: string) => Object.fromEntries(Object.entries(then).filter(([key]) => key !== name))

describe('an image that Paddock built', () => {
  it('is missing when it is not there', async () => {
    expect(await judgeStaleness({ profile: 'mine', image: undefined, inputs: then, newestFileMs: never })).toEqual({ state: 'missing', reasons: ['The image has not been built.'] })
  })

  it('is fresh when everything is as it was, in whatever order, however old its date', async () => {
    expect(await judge(Object.fromEntries(Object.entries(then).reverse()))).toEqual({ state: 'fresh', reasons: [] })
  })

  it.each<[Inputs, string[]]>([
    [{ ...then, 'file:Containerfile': 'c2' }, ['Containerfile was changed.']],
    [{ ...then, 'file:entrypoint': 'e2' }, ['entrypoint was changed.']],
    [{ ...then, 'file:new': 'n' }, ['new was added.']],
    [without('file:entrypoint'), ['entrypoint was removed.']],
    [{ ...then, 'image:localhost/paddock-base:latest': 'i2' }, ['Its base image localhost/paddock-base:latest is another one now.']],
    [{ ...then, 'arg:BASE_IMAGE': 'fedora' }, ['The build argument BASE_IMAGE has another value.']],
    [{ ...then, 'file:Containerfile': 'c2', 'file:entrypoint': 'e2' }, ['Containerfile was changed.', 'entrypoint was changed.']],
  ])('is stale and says why: %j', async (inputs, reasons) => {
    expect(await judge(inputs)).toEqual({ state: 'stale', reasons })
  })

  it('does not list a hundred reasons', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`file:f${at}`, 'x']))
    const { reasons } = await judge({ ...then, ...many })
    expect(reasons).toHaveLength(6)
    expect(reasons.at(-1)).toBe('And 95 more.')
  })

  it('stays fresh when the image below was removed from the storage', async () => {
    expect(await judge({ ...then, 'image:localhost/paddock-base:latest': '' })).toMatchObject({ state: 'fresh' })
  })

  it.each(['', 'no JSON', '[]', 'null', '{"file:Containerfile": 3}'])('with damaged records %j is stale when its hash differs, and fresh when it does not', async (damaged) => {
    expect(await judge(then, image(then, { [imageLabels.inputs]: damaged }))).toMatchObject({ state: 'fresh' })
    expect(await judge({ ...then, 'file:Containerfile': 'c2' }, image(then, { [imageLabels.inputs]: damaged }))).toMatchObject({ state: 'stale' })
  })
})

describe('an image that Paddock did not build', () => {
  const at = (offset: number) => async () => Date.parse(created) + offset
  it.each([
    ['has no label', {}],
    ['inherits another profile’s labels', { [imageLabels.profile]: 'other', [imageLabels.source]: sourceHash(then) }],
    ['has an empty hash', { [imageLabels.profile]: 'mine', [imageLabels.source]: '' }],
  ])('is judged by time: it %s', async (_what, labels) => {
    const facts: ImageFacts = { id: 'x', created, labels }
    expect(await judge(then, facts, at(-1))).toEqual({ state: 'fresh', reasons: [] })
    expect(await judge(then, facts, at(1))).toEqual({ state: 'stale', reasons: [expect.stringContaining('Paddock did not build it')] })
  })
})

it('reads the labels that a real build left', async () => {
  const [{ Id, Created, Labels }] = JSON.parse(recording('image-inspect.json'))
  const inputs = JSON.parse(Labels[imageLabels.inputs]) as Inputs
  const facts = { id: Id, created: Created, labels: Labels }
  expect(await judgeStaleness({ profile: 'minimal', image: facts, inputs, newestFileMs: never })).toEqual({ state: 'fresh', reasons: [] })
})
