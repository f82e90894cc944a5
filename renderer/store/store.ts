import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../api/api.ts'
import { makeDesktopsSlice } from './desktops-slice.ts'
import { makeEditorsSlice } from './editors-slice.ts'
import { makeEgressSlice } from './egress-slice.ts'
import { followEvents } from './follow-events.ts'
import { makeHostSlice } from './host-slice.ts'
import { makeLaunchesSlice } from './launches-slice.ts'
import { makeProfileChangesSlice } from './profile-changes-slice.ts'
import { makeProfilesSlice } from './profiles-slice.ts'
import { makeProjectsSlice } from './projects-slice.ts'
import { makeSandboxesSlice } from './sandboxes-slice.ts'
import { makeSettingsSlice } from './settings-slice.ts'
import { makeShellsSlice } from './shells-slice.ts'
import type { AppState } from './slice.ts'
import { makeTransfersSlice } from './transfers-slice.ts'
import { makeUpgradesSlice } from './upgrades-slice.ts'
import { makeViewSlice } from './view-slice.ts'

export type AppStore = StoreApi<AppState> & {
  /**
   * Listens, then asks for all there is to show. Settles when everything was answered.
   * @param drawn waits until what is known by then has been drawn
   */
  begin(drawn?: () => Promise<void>): Promise<void>
}
export type { AppState }

/** The one store of the window. @param api how the main process is reached; tests hand in a fake */
export function createAppStore(api: Api): AppStore {
  const store = createStore<AppState>()((...parts) => ({
    ...makeViewSlice(api)(...parts),
    ...makeProjectsSlice(api)(...parts),
    ...makeProfilesSlice(api)(...parts),
    ...makeProfileChangesSlice(api)(...parts),
    ...makeUpgradesSlice(api)(...parts),
    ...makeEditorsSlice(api)(...parts),
    ...makeSandboxesSlice(api)(...parts),
    ...makeShellsSlice(api)(...parts),
    ...makeDesktopsSlice(api)(...parts),
    ...makeLaunchesSlice(api)(...parts),
    ...makeSettingsSlice(api)(...parts),
    ...makeHostSlice(api)(...parts),
    ...makeTransfersSlice(api)(...parts),
    ...makeEgressSlice(api)(...parts),
  }))

  return Object.assign(store, {
    async begin(drawn = async () => {}) {
      // Listens first, so that nothing that changes between falls through.
      followEvents(api, store)
      const state = store.getState()
      await Promise.all([state.loadSettings(), state.loadProjects()])
      const { view, projects } = store.getState()
      const last = projects?.toSorted((a, b) => b.lastOpenedAt.localeCompare(a.lastOpenedAt))[0]
      if (view.kind === 'welcome' && last) store.getState().showProject(last.folder)
      // These start Podman, which would hold up the window's first sight.
      await drawn()
      await Promise.all([state.loadSandboxes(), state.loadProfiles(), state.loadIsolation(), state.loadDrafts(), state.loadDesktopWindows()])
    },
  })
}
