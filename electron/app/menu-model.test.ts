import { describe, expect, it } from 'vitest'
import type { RecentProject } from '../../shared/domain/recent-project.ts'
import type { Sandbox } from '../../shared/domain/sandbox.ts'
import { trayModel } from './menu-model.ts'

const sandbox = (change: Partial<Sandbox>): Sandbox => ({
  id: 'a'.repeat(64), profile: 'default', project: '/home/me/über uns', state: 'running', isolation: 'container', egress: 'open', startedAt: null, ports: [], hasDesktop: false, channelProblem: null, error: null,
  caps: { ramMib: null, cpus: null, tmpSize: null, pids: null, unenforced: [] }, ...change,
})
const project = (name: string, change: Partial<RecentProject> = {}): RecentProject => ({
  folder: `/p/${name}`, name, pinned: false, lastProfile: null, lastOpenedAt: '2026-01-01T00:00:00.000Z', exists: true, ...change,
})

describe('the tray’s menu', () => {
  it('opens and quits when there is nothing else', () => {
    expect(trayModel([], [])).toEqual([
      { label: 'No sandbox is running' },
      'separator',
      { label: 'Open Paddock', action: { kind: 'show' } },
      { label: 'Quit', action: { kind: 'quit' } },
    ])
  })

  it('shows running sandboxes by their project, and not those that ended', () => {
    const items = trayModel([sandbox({}), sandbox({ id: 'b'.repeat(64), project: null }), sandbox({ state: 'exited' })], [])
    expect(items.slice(0, 4)).toEqual([
      { label: '2 running' },
      { label: 'über uns · default', action: { kind: 'show-sandbox', id: 'a'.repeat(64) } },
      { label: 'bbbbbbbbbbbb · default', action: { kind: 'show-sandbox', id: 'b'.repeat(64) } },
      'separator',
    ])
  })

  it('launches recent projects with their last profile, not those whose folder is gone, and not too many', () => {
    const items = trayModel([], [project('one', { lastProfile: 'node' }), project('gone', { exists: false }), ...Array.from({ length: 20 }, (_, n) => project(`p${n}`))])
    const launches = items.filter((item) => item !== 'separator' && item.action?.kind === 'launch')
    expect(launches[0]).toEqual({ label: 'Launch one · node', action: { kind: 'launch', folder: '/p/one' } })
    expect(launches[1]).toMatchObject({ label: 'Launch p0 · default' })
    expect(launches).toHaveLength(8)
  })
})
