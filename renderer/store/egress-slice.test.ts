import { describe, expect, test } from 'vitest'
import type { EgressPrompt } from '../../shared/domain/egress-prompt.ts'
import { asking, createTestApi, deferred, refused } from '../dev/test-api.ts'
import { fakeSandbox } from '../dev/scene.ts'

const id = 'a1'.padEnd(64, '0')
const asked = (host: string) => ({ host, port: 443, count: 1, firstAt: '2026-11-30T10:00:00Z', lastAt: '2026-11-30T10:00:00Z', agent: null })
const prompt = (...hosts: string[]): EgressPrompt => ({ sandboxId: id, profile: 'default', project: '/home/mira/code/web', hosts: hosts.map(asked) })

describe('prompts', () => {
  test('are followed once there is a sandbox with an allowlist, and not before', async () => {
    const over = deferred()
    const window = createTestApi({ 'egress.follow': () => over.promise })
    await window.store.begin()
    const tell = (revision: number, egress: 'open' | 'allowlist') => window.tell({ type: 'sandboxes', revision, sandboxes: [fakeSandbox('a1', 'web', { egress })] })
    tell(1, 'open')
    expect(asking(window, 'egress.follow')).toHaveLength(0)
    tell(2, 'allowlist')
    tell(3, 'allowlist')
    expect(asking(window, 'egress.follow')).toHaveLength(1)
    over.resolve({})
    await over.promise
    await Promise.resolve()
    await Promise.resolve()
    tell(4, 'allowlist')
    expect(asking(window, 'egress.follow')).toHaveLength(2)
  })

  test('are those that were told last', async () => {
    const window = createTestApi()
    await window.store.begin()
    window.tell({ type: 'egress-prompts', prompts: [prompt('a.example', 'b.example')] })
    expect(window.state().prompts).toEqual([prompt('a.example', 'b.example')])
    window.tell({ type: 'egress-prompts', prompts: [] })
    expect(window.state().prompts).toEqual([])
  })
})

describe('an answer', () => {
  test('takes its hosts out of the prompt at once, and the last one the prompt', async () => {
    const window = createTestApi({ 'egress.decide': () => ({}) })
    window.state().setPrompts([prompt('a.example', 'b.example')])
    await window.state().decideEgress(id, [asked('a.example')], 'once')
    expect(asking(window, 'egress.decide')[0]!.input).toEqual({ id, hosts: [{ host: 'a.example', port: 443 }], answer: 'once' })
    expect(window.state().prompts).toEqual([prompt('b.example')])
    await window.state().decideEgress(id, [asked('b.example')], 'no')
    expect(window.state().prompts).toEqual([])
  })

  test('that is not taken leaves the prompt, and says why', async () => {
    const window = createTestApi({
      'egress.decide': () => {
        throw refused
      },
    })
    window.state().setPrompts([prompt('a.example')])
    await window.state().decideEgress(id, [asked('a.example')], 'profile')
    expect(window.state().prompts).toEqual([prompt('a.example')])
    expect(window.state().problem).toEqual({ what: 'Your answer was not taken.', error: refused })
  })
})
