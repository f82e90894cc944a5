import type { TerminalSize } from '../../shared/contract/window-contract.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import type { MakeSlice } from './slice.ts'

/** What fills the main pane. */
export type View = { kind: 'welcome' } | { kind: 'project'; folder: string } | { kind: 'sandbox'; id: string } | { kind: 'editor'; name: string }
/** What slides over it; one at a time. */
export type Panel = { kind: 'settings' } | { kind: 'host' } | { kind: 'about' } | { kind: 'profile'; name: string } | { kind: 'sandbox' | 'files' | 'ports' | 'egress'; id: string } | McpPanel
/** The panels that look into a running sandbox. */
export type SandboxPanelKind = 'files' | 'ports' | 'egress' | 'mcp'
/** MCP clients of a sandbox, or of a project in which none need run: the first call launches it. */
export type McpPanel = { kind: 'mcp'; id: string | null; project: string | null }
/** What the palette offers: everything, running sandboxes, projects to launch, or profiles for one project. */
export type PalettePage = { kind: 'all' } | { kind: 'tabs' } | { kind: 'launch' } | { kind: 'profiles'; folder: string }

/** Something that went wrong outside of a build. */
export interface Problem {
  /** One sentence, e.g. `The sandbox could not be stopped.` */
  what: string
  error: ErrorReport
}

export interface ViewSlice {
  view: View
  panel: Panel | null
  /** null while the palette is closed. */
  palette: PalettePage | null
  problem: Problem | null
  /** What the status line of a sandbox asks about before it is done. */
  confirming: { id: string; what: 'stop' | 'restart' } | null
  /** What a terminal that is opened now would have room for; null until it is known. */
  terminalSize: TerminalSize | null
  /** Told to screen readers, and nowhere else. */
  announcement: string
  showProject(folder: string): void
  showWelcome(): void
  openPanel(panel: Panel | null): void
  openPalette(page: PalettePage | null): void
  report(what: string, error: ErrorReport): void
  dismissProblem(): void
  confirm(confirming: ViewSlice['confirming']): void
  announce(text: string): void
  noteTerminalSize(size: TerminalSize): void
}

export const makeViewSlice: MakeSlice<ViewSlice> = () => (set) => ({
  view: { kind: 'welcome' },
  panel: null,
  palette: null,
  problem: null,
  confirming: null,
  terminalSize: null,
  announcement: '',
  showProject: (folder) => set({ view: { kind: 'project', folder }, panel: null }),
  showWelcome: () => set({ view: { kind: 'welcome' }, panel: null }),
  openPanel: (panel) => set({ panel }),
  openPalette: (palette) => set({ palette }),
  report: (what, error) => error.code !== 'cancelled' && set({ problem: { what, error } }),
  dismissProblem: () => set({ problem: null }),
  confirm: (confirming) => set({ confirming }),
  announce: (announcement) => set({ announcement }),
  noteTerminalSize: (terminalSize) => set({ terminalSize }),
})
