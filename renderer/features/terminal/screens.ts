import { ownPane } from '../../../shared/domain/shell-layout.ts'
import { paneInSight } from '../../store/shells-slice.ts'
import type { AppState } from '../../store/store.ts'

/** What the rest of the window may ask of a terminal in sight. */
export interface ScreenHandle {
  focus(): void
  openSearch(): void
  /** Sends keys as if they had been typed. */
  type(data: string): void
}

const handles = new Map<string, ScreenHandle>()

/** By which name a pane's screen is registered: a sandbox's own terminal has the sandbox's. */
export const screenName = (sandboxId: string, pane: string): string => (pane === ownPane ? sandboxId : pane)

/** The terminal of a sandbox that gets the keys, when one is open. */
export function screenInSight(state: Pick<AppState, 'shells'>, sandboxId: string): ScreenHandle | undefined {
  return handles.get(screenName(sandboxId, paneInSight(state, sandboxId)))
}

/** @returns what takes it back */
export function registerScreen(name: string, handle: ScreenHandle): () => void {
  handles.set(name, handle)
  return () => {
    if (handles.get(name) === handle) handles.delete(name)
  }
}
