import type { StateCreator } from 'zustand/vanilla'
import type { Api } from '../api/api.ts'
import type { DesktopsSlice } from './desktops-slice.ts'
import type { EditorsSlice } from './editors-slice.ts'
import type { EgressSlice } from './egress-slice.ts'
import type { HostSlice } from './host-slice.ts'
import type { LaunchesSlice } from './launches-slice.ts'
import type { ProfileChangesSlice } from './profile-changes-slice.ts'
import type { ProfilesSlice } from './profiles-slice.ts'
import type { ProjectsSlice } from './projects-slice.ts'
import type { SandboxesSlice } from './sandboxes-slice.ts'
import type { SettingsSlice } from './settings-slice.ts'
import type { ShellsSlice } from './shells-slice.ts'
import type { TransfersSlice } from './transfers-slice.ts'
import type { UpgradesSlice } from './upgrades-slice.ts'
import type { ViewSlice } from './view-slice.ts'

/** All that the window knows and can do. */
export type AppState = ViewSlice & ProjectsSlice & ProfilesSlice & ProfileChangesSlice & UpgradesSlice & EditorsSlice & SandboxesSlice & ShellsSlice & DesktopsSlice & LaunchesSlice & SettingsSlice & HostSlice & TransfersSlice & EgressSlice

/** Makes one feature's part of the store. */
export type MakeSlice<T> = (api: Api) => StateCreator<AppState, [], [], T>
