import type { WindowEvent } from '../../shared/contract/window-contract.ts'
import type { Sandbox } from '../../shared/domain/sandbox.ts'
import type { AppData, AppStore, View } from './state.ts'

/** Takes in what the main process tells; a list that is older than the one known is dropped. */
export function createEvents(set: AppStore['setState'], get: AppStore['getState'], loadProfiles: () => Promise<void>): (event: WindowEvent) => void {
  const revisions: Record<string, number> = {}
  const isNews = (event: { type: string; revision: number }) => {
    if (event.revision <= (revisions[event.type] ?? 0)) return false
    revisions[event.type] = event.revision
    return true
  }
  const obey = (command: Extract<WindowEvent, { type: 'command' }>['command'], subject?: string) => {
    if (command === 'palette') set({ isPaletteOpen: true })
    else if (command === 'settings' || command === 'host' || command === 'about') set({ panel: command })
    else if (command === 'show-sandbox') {
      if (subject) void get().attach(subject)
    } else if (command === 'open-project') void (subject ? get().addProject(subject) : get().pickProject())
    else if (subject) void get().quickLaunch(subject)
  }

  return (event) => {
    if (event.type === 'sandboxes') {
      if (isNews(event)) set((state) => ({ sandboxes: event.sandboxes, view: viewAfter(state, event.sandboxes) }))
    } else if (event.type === 'projects') {
      if (isNews(event)) set({ projects: event.projects })
    } else if (event.type === 'settings') {
      if (isNews(event)) set({ settings: event.settings })
    } else if (event.type === 'profiles-changed') void loadProfiles()
    else if (event.type === 'stats') set({ stats: Object.fromEntries(event.stats.map((stats) => [stats.id, stats])) })
    else if (event.type === 'connection') set({ isConnected: event.isConnected })
    else obey(event.command, event.subject)
  }
}

/** A tab whose sandbox is gone stays while it has something to tell; otherwise its project takes its place. Pure. */
export function viewAfter({ view, ended, terminals, sandboxes }: Pick<AppData, 'view' | 'ended' | 'terminals' | 'sandboxes'>, now: readonly Sandbox[]): View {
  if (view.kind !== 'sandbox' || now.some(({ id }) => id === view.id) || ended[view.id] || terminals[view.id]) return view
  const folder = sandboxes?.find(({ id }) => id === view.id)?.project
  return folder ? { kind: 'project', folder } : { kind: 'empty' }
}
