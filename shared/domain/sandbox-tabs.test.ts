import { describe, expect, test } from 'vitest'
import type { Sandbox } from './sandbox.ts'
import { tabsOf } from './sandbox-tabs.ts'

const sandbox = (id: string, rest: Partial<Sandbox> = {}): Sandbox => ({
  id, profile: 'default', project: `/p/${id}`, state: 'running', isolation: 'container', egress: 'open', startedAt: null, ports: [], hasDesktop: false, channelProblem: null, error: null,
  caps: { ramMib: null, cpus: null, tmpSize: null, pids: null, unenforced: [] }, ...rest,
})
const seen = (id: string, exitCode: number | null | undefined) => ({ id, project: `/p/${id}`, profile: 'default', exitCode, wasListed: false })
const states = (tabs: ReturnType<typeof tabsOf>) => Object.fromEntries(tabs.map(({ id, state }) => [id, state]))

describe('tabs', () => {
  test('are there for what runs and what is broken, not for what ended unseen', () => {
    const listed = [sandbox('a'), sandbox('b', { state: 'exited' }), sandbox('c', { state: 'broken' }), sandbox('d', { state: 'paused' })]
    expect(states(tabsOf(listed, []))).toEqual({ a: 'running', c: 'broken', d: 'running' })
  })

  test('stay for what ended under the person’s eyes, listed or not', () => {
    expect(states(tabsOf([sandbox('a', { state: 'exited' })], [seen('a', 3), seen('b', 0)]))).toEqual({ a: 'ended', b: 'ended' })
  })

  test('tell a lost terminal from an ended one', () => {
    expect(states(tabsOf([sandbox('a')], [seen('a', null)]))).toEqual({ a: 'lost' })
  })

  test('are there at once for what was just launched', () => {
    expect(states(tabsOf([], [seen('a', undefined)]))).toEqual({ a: 'starting' })
  })

  test('of what Podman listed before and lists no more have ended', () => {
    expect(states(tabsOf([], [{ ...seen('a', undefined), wasListed: true }]))).toEqual({ a: 'ended' })
  })

  test('say the project’s name, and are marked where two have the same', () => {
    const tabs = tabsOf([sandbox('a', { project: '/x/web' }), sandbox('b', { project: '/y/web/' }), sandbox('c', { project: null })], [])
    expect(tabs.map(({ title, isAmbiguous }) => [title, isAmbiguous])).toEqual([['web', true], ['web', true], ['c', false]])
  })
})
