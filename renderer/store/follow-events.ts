import type { StoreApi } from 'zustand/vanilla'
import type { WindowEvent } from '../../shared/contract/window-contract.ts'
import type { Api } from '../api/api.ts'
import type { AppState } from './slice.ts'

type CommandEvent = Extract<WindowEvent, { type: 'command' }>

/** Brings what the main process tells into the store. @returns a function that ends it */
export function followEvents(api: Api, store: StoreApi<AppState>): () => void {
  const revisions = new Map<WindowEvent['type'], number>()
  /** News may overtake each other; an older one must not replace a newer one. */
  const isNews = ({ type, revision }: { type: WindowEvent['type']; revision: number }) => {
    if (revision <= (revisions.get(type) ?? -1)) return false
    revisions.set(type, revision)
    return true
  }
  return api.onEvent((event) => {
    const state = store.getState()
    switch (event.type) {
      case 'sandboxes':
        return void (isNews(event) && state.setSandboxes(event.sandboxes))
      case 'projects':
        return void (isNews(event) && state.setProjects(event.projects))
      case 'settings':
        return void (isNews(event) && state.setSettings(event.settings))
      case 'starting':
        return state.noteStarting(event)
      case 'failed':
        return state.noteFailure(event.sandboxId, event.error)
      case 'profiles-changed':
        return void Promise.all([state.loadProfiles(), state.checkEditors()])
      case 'desktop-changed':
        return void state.loadDesktopBoard(event.sandboxId)
      case 'desktop-windows':
        return state.setDesktopWindows(event.ids)
      case 'stats':
        return state.setStats(event.stats)
      case 'connection':
        return state.setConnected(event.isConnected)
      case 'egress-prompts':
        return state.setPrompts(event.prompts)
      case 'command':
        return obey(state, event)
    }
  })
}

function obey(state: AppState, { command, subject }: CommandEvent): void {
  switch (command) {
    case 'palette':
      return state.openPalette({ kind: 'all' })
    case 'settings':
    case 'host':
    case 'about':
      return state.openPanel({ kind: command })
    case 'launch':
      return subject === undefined ? state.openPalette({ kind: 'launch' }) : void state.requestLaunch(subject)
    case 'open-project':
      return void (subject === undefined ? state.pickProject() : state.addProject(subject))
    case 'show-sandbox':
      if (subject !== undefined) void state.showSandbox(subject)
  }
}
