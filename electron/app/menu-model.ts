import type { RecentProject } from '../../shared/domain/recent-project.ts'
import type { Sandbox } from '../../shared/domain/sandbox.ts'
import { nameOf } from '../../shared/domain/sandbox-tabs.ts'

/** What a tray item does when it is chosen. */
export type TrayAction =
  | { kind: 'show' }
  | { kind: 'show-sandbox'; id: string }
  | { kind: 'launch'; folder: string }
  | { kind: 'quit' }

/** A line of the tray's menu; without an action it only tells. */
export type TrayItem = { label: string; action?: TrayAction } | 'separator'

const maxProjects = 8

/** The tray's menu as data, so that it can be shown, tested and read by those who have no tray. Pure. */
export function trayModel(sandboxes: readonly Sandbox[], projects: readonly RecentProject[]): TrayItem[] {
  const running = sandboxes.filter(({ state }) => state === 'running')
  const recent = projects.filter(({ exists }) => exists).slice(0, maxProjects)
  return [
    { label: running.length === 0 ? 'No sandbox is running' : `${running.length} running` },
    ...running.map(({ id, project, profile }) => ({ label: `${nameOf(project, id)} · ${profile}`, action: { kind: 'show-sandbox' as const, id } })),
    'separator',
    ...recent.map(({ name, folder, lastProfile }) => ({ label: `Launch ${name} · ${lastProfile ?? 'default'}`, action: { kind: 'launch' as const, folder } })),
    ...(recent.length > 0 ? (['separator'] as const) : []),
    { label: 'Open Paddock', action: { kind: 'show' } },
    { label: 'Quit', action: { kind: 'quit' } },
  ]
}
