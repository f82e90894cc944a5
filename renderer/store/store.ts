import { createStore } from 'zustand/vanilla'
import type { Reply } from '../../shared/contract/dispatch.ts'
import type { Api } from '../api/api.ts'
import { createBuilds } from './builds.ts'
import { createEvents } from './events.ts'
import { createLaunches } from './launches.ts'
import { type AppState, type AppStore, emptyData } from './state.ts'
import { without } from './work.ts'

/** The one store of the window. @param api how the main process is reached; tests hand in a fake */
export function createAppStore(api: Api): AppStore {
  return createStore<AppState>((set, get) => {
    const orReport = (reply: Reply<unknown>) => {
      if (!reply.ok) get().report(reply.error)
      return reply.ok
    }
    const loadProfiles = async () => {
      const reply = await api.call('profile.list', {})
      if (reply.ok) set({ profiles: reply.value })
      else get().report(reply.error)
    }
    const loadObstacle = async () => {
      const reply = await api.call('host.isolation', {})
      if (reply.ok) set({ obstacle: reply.value.obstacle })
      else get().report(reply.error)
    }
    const loadFacts = async () => {
      const { profiles, obstacle } = get()
      await Promise.all([profiles === null && loadProfiles(), obstacle === undefined && loadObstacle()])
    }

    return {
      ...emptyData,
      ...createLaunches(api, set, get, loadFacts),
      ...createBuilds(api, set, get),

      async begin() {
        // Subscribed first, so that nothing that changes between falls through.
        api.onEvent(createEvents(set, get, loadProfiles))
        // Each is shown as it comes in; a list that an event told meanwhile is newer.
        const projects = api.call('project.list', {}).then((reply) => orReport(reply) && reply.ok && set((state) => ({ projects: state.projects ?? reply.value })))
        const sandboxes = api.call('sandbox.list', {}).then((reply) => orReport(reply) && reply.ok && set((state) => ({ sandboxes: state.sandboxes ?? reply.value })))
        const settings = api.call('settings.get', {}).then((reply) => orReport(reply) && reply.ok && set((state) => ({ settings: { ...reply.value, ...state.settings } })))
        const facts = loadFacts()
        await projects
        const first = get().projects?.[0]
        if (get().view.kind === 'empty' && first) set({ view: { kind: 'project', folder: first.folder } })
        await Promise.all([sandboxes, settings, facts])
      },
      show: (view) => set({ view, panel: null }),
      setPanel: (panel) => set({ panel }),
      setPalette: (isPaletteOpen) => set({ isPaletteOpen }),
      async pickProject() {
        const reply = await api.call('project.pick', {})
        if (!reply.ok) get().report(reply.error)
        else if (reply.value) get().show({ kind: 'project', folder: reply.value.folder })
      },
      async addProject(folder) {
        const reply = await api.call('project.add', { folder })
        if (reply.ok) get().show({ kind: 'project', folder: reply.value.folder })
        else get().report(reply.error)
      },
      pinProject: async (folder, pinned) => void orReport(await api.call('project.pin', { folder, pinned })),
      async removeProject(folder) {
        const isGone = orReport(await api.call('project.remove', { folder }))
        const { view } = get()
        if (isGone && view.kind === 'project' && view.folder === folder) set({ view: { kind: 'empty' } })
      },
      reveal: async (folder) => void orReport(await api.call('project.reveal', { folder })),
      async attach(id) {
        set({ view: { kind: 'sandbox', id }, panel: null })
        if (get().terminals[id]) return
        const reply = await api.call('sandbox.attach', { id })
        if (reply.ok) set(({ terminals }) => ({ terminals: { ...terminals, [id]: reply.value } }))
        else get().report(reply.error)
      },
      noteExit(id, exitCode) {
        const sandbox = get().sandboxes?.find((candidate) => candidate.id === id) ?? get().ended[id]?.sandbox
        if (sandbox) set(({ ended }) => ({ ended: { ...ended, [id]: { sandbox, exitCode } } }))
      },
      closeTab(id) {
        const { ended, terminals, view, sandboxes } = get()
        const folder = (ended[id]?.sandbox ?? sandboxes?.find((sandbox) => sandbox.id === id))?.project
        const isShown = view.kind === 'sandbox' && view.id === id
        set({
          ended: without(ended, id),
          terminals: without(terminals, id),
          ...(isShown ? { view: folder ? { kind: 'project' as const, folder } : { kind: 'empty' as const } } : {}),
        })
      },
      stop: async (id) => orReport(await api.call('sandbox.stop', { ids: [id] })),
      async copyCommand(id) {
        const reply = await api.call('sandbox.command', { id })
        if (reply.ok) await navigator.clipboard.writeText(reply.value)
        else get().report(reply.error)
      },
      async changeSettings(change) {
        const reply = await api.call('settings.set', change)
        if (reply.ok) set({ settings: reply.value })
        else get().report(reply.error)
      },
      report: (problem) => set({ problem }),
      dismissProblem: () => set({ problem: null }),
    }
  })
}
