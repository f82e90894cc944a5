import type { Settings } from '../../shared/domain/settings.ts'
import type { MakeSlice } from './slice.ts'

export interface SettingsSlice {
  settings: Settings
  /** False until the first answer; until then nothing is known of the person's wishes. */
  hasSettings: boolean
  loadSettings(): Promise<void>
  setSettings(settings: Settings): void
  /** @returns whether it was saved */
  changeSettings(change: Settings): Promise<boolean>
}

export const makeSettingsSlice: MakeSlice<SettingsSlice> = (api) => (set, get) => ({
  settings: {},
  hasSettings: false,
  async loadSettings() {
    const reply = await api.call('settings.get', {})
    if (!reply.ok) {
      set({ hasSettings: true })
      return get().report('The settings could not be read.', reply.error)
    }
    set((state) => (state.hasSettings ? {} : { settings: reply.value, hasSettings: true }))
  },
  setSettings: (settings) => set({ settings, hasSettings: true }),
  async changeSettings(change) {
    const before = get().settings
    // Shown at once, so that a font size follows the key; taken back when it cannot be saved.
    set({ settings: { ...before, ...change } })
    const reply = await api.call('settings.set', change)
    if (reply.ok) return true
    // Only what was refused: another change may have been saved meanwhile.
    const undone = Object.fromEntries(Object.keys(change).map((key) => [key, before[key as keyof Settings]]))
    set(({ settings }) => ({ settings: { ...settings, ...undone } }))
    get().report('The setting was not saved.', reply.error)
    return false
  },
})
