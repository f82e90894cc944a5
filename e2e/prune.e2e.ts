import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Prunable } from '../shared/contract/contract.ts'
import { createWorld, onMinimal, type World } from './harness.ts'

const name = 'e2e-prune'
const image = `localhost/paddock:${name}`
let world: World
let ended: string
let replaced: string

beforeEach(async () => {
  // A storage of its own: prune frees whatever it finds, and the account's sandboxes are not the tests' to free.
  world ??= createWorld('prune', { ownStore: true })
  const label = (text: string) => text.replace('--rm ', '').replace('--userns keep-id:uid=1000,gid=1000 ', '')
  const folder = world.profile(name, onMinimal(label, ['RUN echo one > /version']))
  const run = await world.paddock(['run', name, '--project', world.project(), '--', 'sh', '-c', 'exit 4'])
  expect(run.code, run.stderr).toBe(4)
  ended = (await world.ls())[0]!.id
  replaced = (await world.podman(['image', 'inspect', '--format', '{{.Id}}', image])).stdout.trim()
  appendFileSync(join(folder, 'Containerfile'), `RUN echo ${Math.random()} > /version\n`)
  expect((await world.paddock(['build', name])).code).toBe(0)
})
afterAll(() => world.dispose())

const isThere = async (kind: 'container' | 'image', id: string) => (await world.podman([kind, 'exists', id])).code === 0
const bothThere = async () => [await isThere('container', ended), await isThere('image', replaced)]

describe('prune', () => {
  test('shows what could be freed and frees nothing unless told', async () => {
    const { code, stdout, stderr } = await world.paddock(['prune'])
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain(`sandbox ${ended.slice(0, 12)}: ${name} on ${world.project()}`)
    expect(stderr).toMatch(new RegExp(`image ${replaced.slice(0, 12)}: replaced by a rebuild, up to \\d+ MiB`))
    expect(stderr).toContain('--yes')
    expect(await bothThere()).toEqual([true, true])
  })

  test('asks a person: Enter keeps, y frees', async () => {
    const keep = world.terminal(['prune'])
    await keep.expect(/Free these\? \[y\/N\]/)
    keep.type('\r')
    expect(await keep.ended()).toBe(0)
    expect(await bothThere()).toEqual([true, true])
    const free = world.terminal(['prune'])
    await free.expect(/Free these\? \[y\/N\]/)
    free.type('y\r')
    expect(await free.ended()).toBe(0)
    expect(await bothThere()).toEqual([false, false])
    expect(await isThere('image', image)).toBe(true)
  })

  test('--yes --json says what was found and what was freed, and leaves what runs and what is in use', async () => {
    const terminal = world.terminal(['run', 'minimal', '--project', world.project(), '--', 'sh', '-c', 'echo ready; read -r _'])
    await terminal.expect(/ready/)
    const running = (await world.ls()).find(({ state }) => state === 'running')!.id
    const { code, stdout, stderr } = await world.paddock(['prune', '--yes', '--json'])
    expect(code, stderr).toBe(0)
    const { found, removed } = JSON.parse(stdout) as Record<'found' | 'removed', Prunable[]>
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining([ended, replaced]))
    expect(found.map(({ id }) => id)).not.toContain(running)
    expect(removed.map(({ id }) => id)).toEqual(expect.arrayContaining([ended, replaced]))
    expect(await bothThere()).toEqual([false, false])
    expect(await isThere('container', running)).toBe(true)
    terminal.type('\r')
    expect(await terminal.ended()).toBe(0)
  })
})
