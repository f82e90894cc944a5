import { defaultMinAgeDays, type UpgradeReport } from '../../shared/domain/upgrade.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import type { MakeSlice } from './slice.ts'

/** A look for newer versions of what a profile pins, or how it ended. */
export interface Upgrade {
  status: 'checking' | 'writing' | 'cancelling' | 'checked' | 'written' | 'cancelled' | 'failed'
  /** The last thing that was told while it works. */
  step: string | null
  /** The last answer; it stays on the screen while the pins are written, and where that failed. */
  report: UpgradeReport | null
  error: ErrorReport | null
}

export interface UpgradesSlice {
  /** By the profile's name. */
  upgrades: Readonly<Record<string, Upgrade>>
  checkUpgrade(name: string): Promise<void>
  /** Writes what the last check showed, and nothing that came since. */
  applyUpgrade(name: string): Promise<void>
  cancelUpgrade(name: string): void
  dismissUpgrade(name: string): void
}

export const makeUpgradesSlice: MakeSlice<UpgradesSlice> = (api) => (set, get) => {
  const aborts = new Map<string, AbortController>()
  const update = (name: string, change: Partial<Upgrade>) =>
    set(({ upgrades }) => (upgrades[name] ? { upgrades: { ...upgrades, [name]: { ...upgrades[name], ...change } } } : {}))
  const ask = async (name: string, begun: Upgrade) => {
    if (aborts.has(name)) return null
    const abort = new AbortController()
    aborts.set(name, abort)
    set(({ upgrades }) => ({ upgrades: { ...upgrades, [name]: begun } }))
    const apply = begun.status === 'writing'
    const shown = begun.report?.pins.flatMap(({ profile, npm, next }) => (next ? [{ profile, npm, version: next.version }] : [])) ?? []
    const reply = await api.call(
      'profile.upgrade',
      { name, minAgeDays: defaultMinAgeDays, apply, ...(apply && { shown }) },
      { signal: abort.signal, onProgress: ({ text }) => update(name, { step: text }) },
    )
    aborts.delete(name)
    if (!reply.ok) {
      const isCancelled = reply.error.code === 'cancelled'
      update(name, isCancelled ? { status: 'cancelled', error: null } : { status: 'failed', error: reply.error })
      return null
    }
    update(name, { status: reply.value.written.length > 0 ? 'written' : 'checked', report: reply.value })
    return reply.value
  }

  return {
    upgrades: {},
    async checkUpgrade(name) {
      const report = await ask(name, { status: 'checking', step: null, report: null, error: null })
      if (report) get().announce(`The versions that ${name} pins were looked up.`)
    },
    async applyUpgrade(name) {
      const report = get().upgrades[name]?.report ?? null
      if (report === null) return
      const written = await ask(name, { status: 'writing', step: null, report, error: null })
      if (written && written.written.length > 0) get().announce('The pins were written.')
      // Where it failed, some of the files may have been written before.
      if (written === null || written.written.length > 0) await get().loadProfiles()
    },
    cancelUpgrade(name) {
      aborts.get(name)?.abort()
      update(name, { status: 'cancelling' })
    },
    dismissUpgrade: (name) =>
      set(({ upgrades }) => {
        const { [name]: _gone, ...others } = upgrades
        return { upgrades: others }
      }),
  }
}
