import type { StoreApi } from 'zustand/vanilla'
import type { HostIsolation, Stats, Terminal } from '../../shared/contract/window-contract.ts'
import type { ProfileStatus } from '../../shared/domain/profile.ts'
import type { RecentProject } from '../../shared/domain/recent-project.ts'
import type { Isolation, Sandbox } from '../../shared/domain/sandbox.ts'
import type { Settings } from '../../shared/domain/settings.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'

/** What fills the main pane. */
export type View = { kind: 'project'; folder: string } | { kind: 'profile'; name: string } | { kind: 'sandbox'; id: string } | { kind: 'empty' }
export type Panel = 'settings' | 'host' | 'about'

/** Long work that a person watches: what it has said so far, and how it failed if it did. */
export interface Work {
  startedAt: number
  steps: string[]
  /** The last lines of the build; more would only cost memory. */
  log: string[]
  isRunning: boolean
  error: ErrorReport | null
}

export interface LaunchChoices {
  isolation?: Isolation | undefined
  acceptFindings: boolean
}

/** A launch on its way. */
export interface Launch extends Work {
  project: string
  profile: string
  /** What was asked, for the next try. */
  choices: LaunchChoices
}

/** How a sandbox that had a tab came to its end. */
export interface EndedTab {
  sandbox: Sandbox
  exitCode: number | null
}

/** null lists are not known yet. */
export interface AppData {
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
  /** By project folder. */
  launches: Record<string, Launch>
  /** By profile. */
  builds: Record<string, Work>
  /** By sandbox, as are the ended ones. */
  terminals: Record<string, Terminal>
  ended: Record<string, EndedTab>
  /** What went wrong last, outside a launch or a build. */
  problem: ErrorReport | null
}

export interface AppActions {
  /** Listens and then asks for all there is. */
  begin(): Promise<void>
  show(view: View): void
  setPanel(panel: Panel | null): void
  setPalette(isOpen: boolean): void
  pickProject(): Promise<void>
  addProject(folder: string): Promise<void>
  pinProject(folder: string, pinned: boolean): Promise<void>
  removeProject(folder: string): Promise<void>
  reveal(folder: string): Promise<void>
  /** Launches a project's last profile at once, or shows the project where a person has to decide something first. */
  quickLaunch(folder: string): Promise<void>
  launch(project: string, profile: string, choices: LaunchChoices): Promise<void>
  cancelLaunch(project: string): void
  dismissLaunch(project: string): void
  build(profile: string): Promise<void>
  cancelBuild(profile: string): void
  dismissBuild(profile: string): void
  attach(id: string): Promise<void>
  noteExit(id: string, exitCode: number | null): void
  closeTab(id: string): void
  stop(id: string): Promise<boolean>
  /** Stops a sandbox and launches its profile on its project again. */
  restart(id: string): Promise<void>
  copyCommand(id: string): Promise<void>
  changeSettings(change: Settings): Promise<void>
  report(problem: ErrorReport): void
  dismissProblem(): void
}

export type AppState = AppData & AppActions
export type AppStore = StoreApi<AppState>

export const emptyData: AppData = {
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
  builds: {},
  terminals: {},
  ended: {},
  problem: null,
}
