import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFakePodman, type FakePodman, recording } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import { writablePlaces } from './writable-places.ts'

let fake: FakePodman
beforeEach(() => {
  fake = createFakePodman()
})
afterEach(() => fake.remove())

const container = JSON.parse(recording('container-inspect.json'))[0]

it('knows every folder that a listed sandbox can write, and those of earlier ones by their real paths', async () => {
  mkdirSync(join(fake.folder, 'earlier'))
  symlinkSync('earlier', join(fake.folder, 'link'))
  const mounts = [
    { Type: 'bind', Source: '/data/project', Destination: '/home/ai/sandbox', RW: true },
    { Type: 'bind', Source: '/data/cache', Destination: '/cache', RW: true },
    { Type: 'bind', Source: '/data/reference', Destination: '/reference', RW: false },
    { Type: 'tmpfs', Source: '', Destination: '/tmp', RW: true },
  ]
  fake.answer([{ on: '^ps ', stdout: { recording: 'ps.json' } }, { on: '^container inspect', stdout: JSON.stringify([{ ...container, Mounts: mounts }]) }])
  expect(await writablePlaces(fake.podman, [join(fake.folder, 'link'), join(fake.folder, 'earlier'), '/gone'])).toEqual([join(fake.folder, 'earlier'), '/gone', '/data/project', '/data/cache'])
})

it('asks a sandbox that cannot be inspected for the project on its label', async () => {
  const [ps] = JSON.parse(recording('ps.json'))
  fake.answer([
    { on: '^ps ', stdout: JSON.stringify([{ ...ps, Labels: { ...ps.Labels, 'dev.paddock.project': '/data/project' } }]) },
    { on: '^container inspect', stderr: 'Error: it is broken', exit: 125 },
  ])
  expect(await writablePlaces(fake.podman, [])).toEqual(['/data/project'])
})
