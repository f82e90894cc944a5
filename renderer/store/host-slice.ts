import type { About, HostIsolation } from '../../shared/contract/window-contract.ts'
import type { Check } from '../../shared/domain/check.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import type { MakeSlice } from './slice.ts'

export interface HostSlice {
  /** Why microVMs cannot run here; null when they can, undefined while it is not known. */
  obstacle: HostIsolation['obstacle'] | undefined
  /** Whether the last question about microVMs was not answered. */
  isIsolationUnknown: boolean
  checks: readonly Check[] | null
  checksError: ErrorReport | null
  isChecking: boolean
  about: About | null
  aboutError: ErrorReport | null
  /** Whether Podman's events arrive. */
  isConnected: boolean
  loadIsolation(): Promise<void>
  /** Examines the host anew. */
  checkHost(): Promise<void>
  loadAbout(): Promise<void>
  setConnected(isConnected: boolean): void
}

export const makeHostSlice: MakeSlice<HostSlice> = (api) => (set, get) => ({
  obstacle: undefined,
  isIsolationUnknown: false,
  checks: null,
  checksError: null,
  isChecking: false,
  about: null,
  aboutError: null,
  isConnected: true,
  async loadIsolation() {
    const reply = await api.call('host.isolation', {})
    set(reply.ok ? { obstacle: reply.value.obstacle, isIsolationUnknown: false } : { isIsolationUnknown: true })
  },
  async checkHost() {
    if (get().isChecking) return
    set({ isChecking: true })
    const [reply] = await Promise.all([api.call('doctor.check', {}), get().loadIsolation()])
    set(reply.ok ? { isChecking: false, checks: reply.value, checksError: null } : { isChecking: false, checksError: reply.error })
  },
  async loadAbout() {
    const reply = await api.call('app.about', {})
    set(reply.ok ? { about: reply.value, aboutError: null } : { aboutError: reply.error })
  },
  setConnected: (isConnected) => set({ isConnected }),
})
