import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakePodman, type FakePodman, recording, type Rule } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import { noCaps } from '../../../shared/domain/caps.ts'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { findSandboxes } from './find-sandbox.ts'
import { prune } from './prune.ts'
import { removeSandbox, stopSandbox } from './stop-sandbox.ts'

let fake: FakePodman
beforeEach(() => {
  fake = createFakePodman([{ on: '' }])
})
afterEach(() => fake.remove())
const id = 'abc123'.padEnd(64, '0')
const sandbox = (changed: Partial<Sandbox> = {}): Sandbox => ({
  id, profile: 'minimal', project: '/work', state: 'running', isolation: 'container', egress: 'open', startedAt: null, caps: { ...noCaps, unenforced: [] }, ports: [], hasDesktop: false, channelProblem: null, error: null, ...changed,
})
const noGuest = () => Promise.reject(new Error('no channel'))
const answer = (...rules: Rule[]) => fake.answer([...rules, { on: '' }])

describe('stopSandbox', () => {
  it('hangs up first, so that an interactive shell ends, then stops', async () => {
    await stopSandbox(fake.podman, sandbox(), noGuest)
    expect(fake.calls()).toEqual([['kill', '--signal', 'HUP', id], ['wait', id], ['stop', '--ignore', '--time', '2', id]])
  })

  it.each(['microvm', 'unverified'] as const)('has a guest that no signal reaches end itself, then stops: %s', async (isolation) => {
    const asked: string[] = []
    await stopSandbox(fake.podman, sandbox({ isolation }), async (guest) => {
      expect(fake.calls()).toEqual([])
      asked.push(guest)
    })
    expect(asked).toEqual([id])
    expect(fake.calls()).toEqual([['stop', '--ignore', '--time', '1', id]])
  })

  it('stops a guest that cannot be asked, and asks none that has no channel, does not run, or hears signals', async () => {
    await stopSandbox(fake.podman, sandbox({ isolation: 'microvm' }), noGuest)
    expect(fake.calls()).toEqual([['stop', '--ignore', '--time', '1', id]])
    const asked: string[] = []
    for (const change of [{ isolation: 'microvm', channelProblem: 'its image has no sshd' }, { isolation: 'microvm', state: 'paused' }, { isolation: 'container' }] as const) {
      await stopSandbox(fake.podman, sandbox(change), async (guest) => void asked.push(guest))
    }
    expect(asked).toEqual([])
    expect(fake.calls().filter(([verb]) => verb === 'stop')).toHaveLength(4)
  })

  it.each(['exited', 'created'])('has nothing to do when it is %s', async (state) => {
    await stopSandbox(fake.podman, sandbox({ state }), noGuest)
    expect(fake.calls()).toEqual([])
  })

  it('goes on when the hang-up fails or is not heard', async () => {
    answer({ on: '^kill', exit: 125 })
    await stopSandbox(fake.podman, sandbox(), noGuest)
    expect(fake.calls().map(([verb]) => verb)).toEqual(['kill', 'stop'])
    answer({ on: '^wait', misbehave: 'hang' })
    await stopSandbox(fake.podman, sandbox(), noGuest)
    expect(fake.calls().map(([verb]) => verb)).toEqual(['kill', 'wait', 'stop'])
  }, 15_000)

  it('succeeds when it is gone by then, and fails for any other reason', async () => {
    answer({ on: '^stop', exit: 125, stderr: { recording: 'container-missing.stderr' } })
    await stopSandbox(fake.podman, sandbox(), noGuest)
    expect(fake.calls().at(-1)![0]).toBe('stop')
    answer({ on: '^stop', exit: 125, stderr: 'Error: database is locked\n' })
    await expect(stopSandbox(fake.podman, sandbox(), noGuest)).rejects.toMatchObject({ report: { code: 'podman-failed' } })
    answer({ on: '^stop', misbehave: 'die-by-signal' })
    await expect(stopSandbox(fake.podman, sandbox(), noGuest)).rejects.toMatchObject({ report: { code: 'podman-failed' } })
  })
})

describe('removeSandbox', () => {
  it.each(['running', 'paused'])('refuses a %s one without force', async (state) => {
    await expect(removeSandbox(fake.podman, sandbox({ state }), false)).rejects.toMatchObject({ report: { code: 'sandbox-running', message: `Sandbox abc123000000 is ${state}.` } })
    expect(fake.calls()).toEqual([])
    await removeSandbox(fake.podman, sandbox({ state }), true)
    expect(fake.calls()).toHaveLength(1)
  })

  it.each(['exited', 'created', 'broken'])('removes a %s one', async (state) => {
    await removeSandbox(fake.podman, sandbox({ state }), false)
    expect(fake.calls()).toEqual([['rm', '--force', '--ignore', '--time', '0', id]])
  })
})

describe('findSandboxes', () => {
  const all = [sandbox(), sandbox({ id: 'abd'.padEnd(64, '0') })]
  it('finds by unique beginnings, each once, and leaves out what is gone', () => {
    expect(findSandboxes(all, ['abc', id, 'deadbeefdead'])).toEqual([all[0]])
    expect(findSandboxes([], [])).toEqual([])
  })

  it('names what the beginning of several may stand for', () => {
    expect(() => findSandboxes(all, ['ab'])).toThrow(expect.objectContaining({ report: expect.objectContaining({ hint: `Give more of the id: ${id.slice(0, 12)}, abd000000000` }) }))
  })

  it.each([['ab', '"ab" fits 2 sandboxes.'], ['xyz', 'There is no sandbox "xyz".'], ['', 'There is no sandbox "".']])('refuses %j', (word, message) => {
    expect(() => findSandboxes(all, [id, word])).toThrow(message)
  })
})

it('prune removes without force, and tells what was removed', async () => {
  const replaced = JSON.parse(recording('images-dangling.json'))[0].Id as string
  const items = [{ kind: 'sandbox' as const, id, what: '', bytes: null }, { kind: 'image' as const, id: replaced, what: '', bytes: 1 }, { kind: 'image' as const, id: 'in-use', what: '', bytes: 1 }]
  answer({ on: 'in-use$', exit: 2, stderr: 'Error: image used by a container\n' })
  expect(await prune(fake.podman, items)).toEqual(items.slice(0, 2))
  expect(fake.calls()).toEqual([['rm', '--ignore', id], ['image', 'rm', replaced], ['image', 'rm', 'in-use']])
})
