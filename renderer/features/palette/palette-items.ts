import type { LucideIcon } from 'lucide-react'
import { CircleStop, Files, Folder, FolderOpen, Globe, Info, Monitor, Moon, Network, Play, Plug, Settings, SquareTerminal } from 'lucide-react'
import { describeProfile } from '../../../shared/domain/profile-words.ts'
import { currentProject } from '../../store/current-project.ts'
import { nameOf, tabsOf } from '../../../shared/domain/sandbox-tabs.ts'
import { triedProfile } from '../../../shared/domain/try-folder.ts'
import { capsInWords } from '../../../shared/domain/words.ts'
import type { AppState, AppStore } from '../../store/store.ts'
import { desktopActions } from './desktop-actions.ts'
import { profileActions } from './profile-actions.ts'
import { shellActions } from './shell-actions.ts'
import type { PalettePage } from '../../store/view-slice.ts'

/** One thing that the palette can do. */
export interface PaletteItem {
  id: string
  group: 'Sandboxes' | 'Desktop' | 'Projects' | 'Launch' | 'Profiles' | 'Window'
  text: string
  /** Quiet words at the end of the line; searched, too. */
  note?: string
  keys?: string
  icon: LucideIcon
  run(): void
}

/**
 * Everything that can be done on a page of the palette.
 * @param isSearching whether something was typed; the rarer things come only then
 */
export function paletteItems(store: AppStore, page: PalettePage, isSearching: boolean): PaletteItem[] {
  const state = store.getState()
  if (page.kind === 'profiles') return profileItems(state, page.folder)
  if (page.kind === 'tabs') return tabItems(state)
  if (page.kind === 'launch') return [...launchItems(state, isSearching), openFolder(state)]
  return [...tabItems(state), ...(isSearching ? projectItems(state) : []), ...launchItems(state, isSearching), ...shellActions(state), ...desktopActions(state), ...panelItems(state), ...mcpItems(state), ...stopItems(state), ...profileActions(state, isSearching), ...windowItems(state)]
}

function tabItems(state: AppState): PaletteItem[] {
  return tabsOf(state.sandboxes ?? [], Object.values(state.open)).map(({ id, title, profile, project, state: tab }, at) => ({
    id: `tab ${id}`,
    group: 'Sandboxes',
    text: title,
    note: [profile, tab, project].filter(Boolean).join(' · '),
    ...(at < 9 && { keys: `Ctrl+${at + 1}` }),
    icon: SquareTerminal,
    run: () => void state.showSandbox(id),
  }))
}

function launchItems(state: AppState, isSearching: boolean): PaletteItem[] {
  const current = currentProject(state)
  return (state.projects ?? [])
    .filter(({ exists }) => exists)
    .flatMap(({ folder, name }): PaletteItem[] => [
      { id: `launch ${folder}`, group: 'Launch', text: `Launch ${name}`, note: state.profileFor(folder), icon: Play, run: () => void state.requestLaunch(folder) },
      ...(isSearching || folder === current
        ? [{ id: `with ${folder}`, group: 'Launch' as const, text: `Launch ${name} with…`, icon: Play, run: () => state.openPalette({ kind: 'profiles', folder }) }]
        : []),
    ])
}

function projectItems(state: AppState): PaletteItem[] {
  return (state.projects ?? []).map(({ folder, name }) => ({ id: `project ${folder}`, group: 'Projects', text: name, note: folder, icon: Folder, run: () => state.showProject(folder) }))
}

function profileItems(state: AppState, folder: string): PaletteItem[] {
  return (state.profiles ?? [])
    .filter(({ runnable, error }) => runnable && error === null)
    .map((profile) => ({
      id: `profile ${profile.name}`,
      group: 'Profiles',
      text: profile.name,
      note: [describeProfile(profile).word, capsInWords(profile.caps)].filter(Boolean).join(' · '),
      icon: Play,
      run: () => void state.requestLaunch(folder, profile.name),
    }))
}

function stopItems(state: AppState): PaletteItem[] {
  const { view, sandboxes } = state
  if (view.kind !== 'sandbox' || !sandboxes?.some(({ id, state: podman }) => id === view.id && podman === 'running')) return []
  return [{ id: 'stop', group: 'Sandboxes', text: 'Stop this sandbox…', icon: CircleStop, run: () => state.confirm({ id: view.id, what: 'stop' }) }]
}

function panelItems(state: AppState): PaletteItem[] {
  const { view, sandboxes } = state
  if (view.kind !== 'sandbox' || !sandboxes?.some(({ id, state: podman }) => id === view.id && podman === 'running')) return []
  const { id } = view
  return [
    { id: 'files', group: 'Sandboxes', text: 'Files of this sandbox', icon: Files, run: () => state.openPanel({ kind: 'files', id }) },
    { id: 'egress', group: 'Sandboxes', text: 'Egress of this sandbox', icon: Globe, run: () => state.openPanel({ kind: 'egress', id }) },
    { id: 'ports', group: 'Sandboxes', text: 'Ports of this sandbox', icon: Network, run: () => state.openPanel({ kind: 'ports', id }) },
  ]
}

/** Clients may come before there is a sandbox: a project is enough. */
function mcpItems(state: AppState): PaletteItem[] {
  const { view } = state
  const project = currentProject(state)
  const id = view.kind === 'sandbox' ? view.id : null
  if (id === null && (project === null || triedProfile(project) !== null)) return []
  return [{ id: 'mcp', group: 'Sandboxes', text: `Connect MCP clients to ${nameOf(project, id ?? '')}`, note: 'Claude, Cursor, VS Code, ChatGPT', icon: Plug, run: () => state.openPanel({ kind: 'mcp', id, project: id === null ? project : null }) }]
}

function openFolder(state: AppState): PaletteItem {
  return { id: 'open', group: 'Window', text: 'Open a folder…', icon: FolderOpen, run: () => void state.pickProject() }
}

function windowItems(state: AppState): PaletteItem[] {
  const { theme = 'system' } = state.settings
  const themes = (['system', 'light', 'dark'] as const).filter((other) => other !== theme)
  return [
    openFolder(state),
    { id: 'settings', group: 'Window', text: 'Open settings', icon: Settings, run: () => state.openPanel({ kind: 'settings' }) },
    { id: 'host', group: 'Window', text: 'Examine the host', note: 'doctor', icon: Monitor, run: () => state.openPanel({ kind: 'host' }) },
    { id: 'about', group: 'Window', text: 'About Paddock', icon: Info, run: () => state.openPanel({ kind: 'about' }) },
    ...themes.map((other): PaletteItem => ({
      id: `theme ${other}`,
      group: 'Window',
      text: other === 'system' ? 'Use the system’s theme' : `Use the ${other} theme`,
      icon: Moon,
      run: () => void state.changeSettings({ theme: other }),
    })),
  ]
}
