import { expect, it } from 'vitest'
import type { WindowEvent } from '../../shared/contract/window-contract.ts'
import type { Sandbox } from '../../shared/domain/sandbox.ts'
import { newsOfDesktop } from './desktop-news.ts'

const sandboxes = [{ id: 'a' }, { id: 'b' }] as Sandbox[]

it('a page hears of its own sandbox alone, and of its end', () => {
  expect(newsOfDesktop({ type: 'sandboxes', revision: 3, sandboxes }, 'a')).toEqual({ type: 'sandboxes', revision: 3, sandboxes: [{ id: 'a' }] })
  expect(newsOfDesktop({ type: 'sandboxes', revision: 4, sandboxes }, 'c')).toEqual({ type: 'sandboxes', revision: 4, sandboxes: [] })
})

it('a page hears what agents do with its own desktop', () => {
  const event: WindowEvent = { type: 'desktop-changed', sandboxId: 'a' }
  expect([newsOfDesktop(event, 'a'), newsOfDesktop(event, 'b')]).toEqual([event, null])
})

it.each<WindowEvent>([
  { type: 'projects', revision: 1, projects: [] },
  { type: 'settings', revision: 1, settings: {} },
  { type: 'egress-prompts', prompts: [] },
  { type: 'desktop-windows', ids: ['a'] },
  { type: 'command', command: 'launch' },
  { type: 'stats', stats: [] },
])('a page hears nothing of $type', (event) => {
  expect(newsOfDesktop(event, 'a')).toBeNull()
})
