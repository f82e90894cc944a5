import type { StoreApi } from 'zustand/vanilla'
import type { Api } from '../api/api.ts'
import type { AppState } from './slice.ts'

/**
 * Brings what the main process tells a desktop's own window into the store: its one sandbox, and what agents do there.
 * @returns asks whether the sandbox runs; to be called at first and after a failure
 */
export function followDesktop(api: Api, store: StoreApi<AppState>, id: string): () => Promise<void> {
  let revision = -1
  api.onEvent((event) => {
    if (event.type === 'desktop-changed') void store.getState().loadDesktopBoard(event.sandboxId)
    if (event.type !== 'sandboxes' || event.revision <= revision) return
    revision = event.revision
    store.setState({ sandboxes: event.sandboxes, sandboxesError: null })
  })
  return async () => {
    const reply = await api.call('desktop.sandbox', { id })
    // An event that came meanwhile is newer.
    if (revision >= 0) return
    store.setState(reply.ok ? { sandboxes: reply.value === null ? [] : [reply.value], sandboxesError: null } : { sandboxesError: reply.error })
  }
}
