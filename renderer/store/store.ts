import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Progress } from '../../shared/contract/contract.ts'
import type { HostIsolation, Stats, Terminal, WindowEvent } from '../../shared/contract/window-contract.ts'
import type { ProfileStatus } from '../../shared/domain/profile.ts'
import type { RecentProject } from '../../shared/domain/recent-project.ts'
import type { Isolation, Sandbox } from '../../shared/domain/sandbox.ts'
import type { Settings } from '../../shared/domain/settings.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import type { Api } from '../api/api.ts'

/** What fills the main pane. */
export type View = { kind: 'project'; folder: string } | { kind: 'sandbox'; id: string } | { kind: 'empty' }
export type Panel = 'settings' | 'host' | 'about'

/** A launch on its way: what it has said so far, and how it failed if it did. */
export interface Launch {
  project: string
  profile: string
  startedAt: number
  steps: string[]
  /** The last lines of the build; more would only cost memory. */
  log: string[]
  isRunning: boolean
  error: ErrorReport | null
}

/** How a sandbox that had a tab came to its end. */
export interface EndedTab {
  sandbox: Sandbox
  exitCode: number | null
}

export interface AppState {
  projects: RecentProject[] | null
  profiles: ProfileStatus[] | null
  sandboxes: Sandbox[] | null
  stats: Record<string, Stats>
  settings: Settings
  /** undefined until the host was asked. */
  obstacle: HostIsolation['obstacle'] | undefined
  isConnected: boolean
  view: View
  panel: Panel | null
  isPaletteOpen: boolean
  launches: Record<string, Launch>
  terminals: Record<string, Terminal>
  ended: Record<string, EndedTab>
  /** One sentence about the last thing that went wrong outside a launch. */
  problem: ErrorReport | null

  begin(): Promise<void>
  show(view: View): void
  setPanel(panel: Panel | null): void
  setPalette(isOpen: boolean): void
  pickProject(): Promise<void>
  addProject(folder: string): Promise<void>
  launch(project: string, profile: string, choice: { isolation?: Isolation | undefined; acceptFindings: boolean }): Promise<void>
  cancelLaunch(project: string): void
  dismissLaunch(project: string): void
  attach(id: string): Promise<void>
  noteExit(id: string, exitCode: number | null): void
  closeTab(id: string): void
  stop(id: string): Promise<void>
  changeSettings(change: Settings): Promise<void>
  dismissProblem(): void
}

export type AppStore = StoreApi<AppState>

const maxLogLines = 2_000

/** The one store of the window. @param api how the main process is reached; tests hand in a fake */
export function createAppStore(api: Api): AppStore {
  const cancels = new Map<string, AbortController>()
  const revisions: Record<string, number> = {}

  return createStore<AppState>((set, get) => {
    const isNews = (event: { type: string; revision: number }) => {
      if (event.revision <= (revisions[event.type] ?? 0)) return false
      revisions[event.type] = event.revision
      return true
    }
    const report = (problem: ErrorReport) => set({ problem })
    const loadProfiles = async () => {
      const reply = await api.call('profile.list', {})
      if (reply.ok) set({ profiles: reply.value })
      else report(reply.error)
    }
    const updateLaunch = (project: string, change: (launch: Launch) => Partial<Launch>) =>
      set(({ launches }) => {
        const launch = launches[project]
        return launch ? { launches: { ...launches, [project]: { ...launch, ...change(launch) } } } : {}
      })
    const follow = (project: string, { kind, text }: Progress) =>
      updateLaunch(project, ({ steps, log }) => (kind === 'step' ? { steps: [...steps, text] } : { log: [...log.slice(-maxLogLines), text] }))

    const hear = (event: WindowEvent) => {
      if (event.type === 'sandboxes') {
        if (isNews(event)) set(({ view }) => ({ sandboxes: event.sandboxes, view: viewAfter(view, event.sandboxes, get()) }))
      } else if (event.type === 'projects') {
        if (isNews(event)) set({ projects: event.projects })
      } else if (event.type === 'settings') {
        if (isNews(event)) set({ settings: event.settings })
      } else if (event.type === 'profiles-changed') void loadProfiles()
      else if (event.type === 'stats') set({ stats: Object.fromEntries(event.stats.map((stats) => [stats.id, stats])) })
      else if (event.type === 'connection') set({ isConnected: event.isConnected })
      else obey(event.command, event.subject)
    }
    const obey = (command: Extract<WindowEvent, { type: 'command' }>['command'], subject?: string) => {
      if (command === 'palette') set({ isPaletteOpen: true })
      else if (command === 'settings' || command === 'host' || command === 'about') set({ panel: command })
      else if (command === 'show-sandbox') {
        if (subject) void get().attach(subject)
      } else if (command === 'open-project') void (subject ? get().addProject(subject) : get().pickProject())
      else if (subject) get().show({ kind: 'project', folder: subject })
    }

    return {
      projects: null,
      profiles: null,
      sandboxes: null,
      stats: {},
      settings: {},
      obstacle: undefined,
      isConnected: true,
      view: { kind: 'empty' },
      panel: null,
      isPaletteOpen: false,
      launches: {},
      terminals: {},
      ended: {},
      problem: null,

      async begin() {
        // Subscribed first, so that nothing that changes between falls through.
        api.onEvent(hear)
        const [projects, sandboxes, settings] = await Promise.all([api.call('project.list', {}), api.call('sandbox.list', {}), api.call('settings.get', {})])
        if (projects.ok) set(({ projects: newer }) => ({ projects: newer ?? projects.value }))
        if (settings.ok) set({ settings: settings.value })
        else report(settings.error)
        if (sandboxes.ok) set(({ sandboxes: newer }) => ({ sandboxes: newer ?? sandboxes.value }))
        else report(sandboxes.error)
        const first = get().projects?.[0]
        if (get().view.kind === 'empty' && first) set({ view: { kind: 'project', folder: first.folder } })
        const [isolation] = await Promise.all([api.call('host.isolation', {}), loadProfiles()])
        if (isolation.ok) set({ obstacle: isolation.value.obstacle })
      },
      show: (view) => set({ view, panel: null }),
      setPanel: (panel) => set({ panel }),
      setPalette: (isPaletteOpen) => set({ isPaletteOpen }),
      async pickProject() {
        const reply = await api.call('project.pick', {})
        if (!reply.ok) report(reply.error)
        else if (reply.value) get().show({ kind: 'project', folder: reply.value.folder })
      },
      async addProject(folder) {
        const reply = await api.call('project.add', { folder })
        if (reply.ok) get().show({ kind: 'project', folder: reply.value.folder })
        else report(reply.error)
      },
      async launch(project, profile, { isolation, acceptFindings }) {
        const abort = new AbortController()
        cancels.set(project, abort)
        const launch: Launch = { project, profile, startedAt: Date.now(), steps: [], log: [], isRunning: true, error: null }
        set(({ launches }) => ({ launches: { ...launches, [project]: launch }, view: { kind: 'project', folder: project }, panel: null }))
        const reply = await api.call('sandbox.launch', { project, profile, isolation, acceptFindings }, { signal: abort.signal, onProgress: (progress) => follow(project, progress) })
        cancels.delete(project)
        if (!reply.ok) return updateLaunch(project, () => ({ isRunning: false, error: reply.error }))
        const { [project]: _done, ...launches } = get().launches
        const isWatching = get().view.kind === 'project' && (get().view as { folder: string }).folder === project
        set({
          launches,
          terminals: { ...get().terminals, [reply.value.sandboxId]: reply.value },
          ...(isWatching ? { view: { kind: 'sandbox', id: reply.value.sandboxId } as const } : {}),
        })
      },
      cancelLaunch: (project) => cancels.get(project)?.abort(),
      dismissLaunch: (project) =>
        set(({ launches }) => {
          const { [project]: _gone, ...others } = launches
          return { launches: others }
        }),
      async attach(id) {
        set({ view: { kind: 'sandbox', id }, panel: null })
        if (get().terminals[id]) return
        const reply = await api.call('sandbox.attach', { id })
        if (reply.ok) set(({ terminals }) => ({ terminals: { ...terminals, [id]: reply.value } }))
        else report(reply.error)
      },
      noteExit(id, exitCode) {
        const sandbox = get().sandboxes?.find((candidate) => candidate.id === id) ?? get().ended[id]?.sandbox
        if (sandbox) set(({ ended }) => ({ ended: { ...ended, [id]: { sandbox, exitCode } } }))
      },
      closeTab(id) {
        const { [id]: _tab, ...ended } = get().ended
        const { [id]: closed, ...terminals } = get().terminals
        const folder = _tab?.sandbox.project
        set({ ended, terminals, view: folder ? { kind: 'project', folder } : { kind: 'empty' } })
        void closed
      },
      async stop(id) {
        const reply = await api.call('sandbox.stop', { ids: [id] })
        if (!reply.ok) report(reply.error)
      },
      async changeSettings(change) {
        const reply = await api.call('settings.set', change)
        if (reply.ok) set({ settings: reply.value })
        else report(reply.error)
      },
      dismissProblem: () => set({ problem: null }),
    }
  })
}

/** A tab whose sandbox is gone stays while it has something to tell; otherwise its project takes its place. */
function viewAfter(view: View, sandboxes: readonly Sandbox[], { ended, terminals }: AppState): View {
  if (view.kind !== 'sandbox' || sandboxes.some(({ id }) => id === view.id) || ended[view.id] || terminals[view.id]) return view
  return { kind: 'empty' }
}
