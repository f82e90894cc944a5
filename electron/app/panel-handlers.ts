import type { HandlersOf } from '../../shared/contract/dispatch.ts'
import { panelContract } from '../../shared/contract/panel-contract.ts'
import type { WindowEvent } from '../../shared/contract/window-contract.ts'
import type { Core } from '../core/core.ts'
import type { Projects } from '../core/projects/projects.ts'
import type { DesktopWindows } from './desktop-windows.ts'
import type { MainWindow } from './main-window.ts'
import type { OfferedFiles } from './offered-files.ts'

export type PanelHandlers = HandlersOf<typeof panelContract>

/** What the panels of a sandbox work with. */
export interface PanelServices {
  core: Core
  projects: Projects
  window: MainWindow
  desktopWindows: DesktopWindows
  offered: OfferedFiles
  tell: (event: WindowEvent) => void
  /** The command's bundle. */
  bundle: string
}

/** The calls of a sandbox's panels. What answers them is loaded with the first one: the start of the app does not know it. */
export function createPanelHandlers(services: PanelServices): PanelHandlers {
  let loading: Promise<PanelHandlers> | undefined
  const load = () => (loading ??= import('./panels/panels.ts').then(({ createPanels }) => createPanels(services)))
  const answer = (name: keyof PanelHandlers) => async (input: never, context: never) => (await load())[name](input, context)
  return Object.fromEntries(Object.keys(panelContract).map((name) => [name, answer(name as keyof PanelHandlers)])) as unknown as PanelHandlers
}
