import type { Reply } from '../../shared/contract/dispatch.ts'
import type { MadeProfile } from '../../shared/contract/profile-contract.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import type { MakeSlice } from './slice.ts'

/** What the person is asked before a profile is made, renamed or deleted; one at a time. */
export type ProfileTask = { kind: 'new' } | { kind: 'duplicate' | 'rename' | 'delete'; name: string }

/** What came of it, to be read in the panel of that name. */
export interface ProfileOutcome {
  /** One sentence. */
  what: string
  /** Where something went. */
  path?: string
  notes: readonly string[]
}

export interface ProfileChangesSlice {
  task: ProfileTask | null
  /** Why the core refused the task; null before. */
  taskError: ErrorReport | null
  isTaskBusy: boolean
  outcomes: Readonly<Record<string, ProfileOutcome>>
  /** Asks, in the place where it belongs; null stops asking. */
  startTask(task: ProfileTask | null): void
  createProfile(name: string, from: string): Promise<void>
  duplicateProfile(name: string, as: string): Promise<void>
  renameProfile(name: string, to: string): Promise<void>
  deleteProfile(name: string): Promise<void>
  /** Lets the person choose in the system's dialog. */
  importProfile(from: 'file' | 'folder'): Promise<void>
  /** Lets the person choose where to in the system's dialog. */
  exportProfile(name: string): Promise<void>
  dismissOutcome(name: string): void
}

export const makeProfileChangesSlice: MakeSlice<ProfileChangesSlice> = (api) => (set, get) => {
  const forget = (name: string) =>
    set(({ outcomes }) => {
      const { [name]: _gone, ...others } = outcomes
      return { outcomes: others }
    })
  const note = (name: string, outcome: ProfileOutcome) => set(({ outcomes }) => ({ outcomes: { ...outcomes, [name]: outcome } }))
  /** Does what was asked for; a refusal stands beside the question, which stays. */
  const carryOut = async <T>(ask: () => Promise<Reply<T>>): Promise<T | null> => {
    if (get().isTaskBusy) return null
    const { task } = get()
    set({ isTaskBusy: true, taskError: null })
    const reply = await ask()
    if (reply.ok) await get().loadProfiles()
    set({ isTaskBusy: false })
    // Another question may have been asked meanwhile.
    if (get().task === task) set(reply.ok ? { task: null } : { taskError: reply.error })
    return reply.ok ? reply.value : null
  }
  const show = ({ name, notes }: MadeProfile, what: string) => {
    // What was told of an earlier profile of this name is not about this one.
    if (notes.length > 0) note(name, { what, notes })
    else forget(name)
    get().announce(what)
    get().openPanel({ kind: 'profile', name })
  }

  return {
    task: null,
    taskError: null,
    isTaskBusy: false,
    outcomes: {},
    startTask(task) {
      set({ task, taskError: null })
      if (task !== null && task.kind !== 'new') get().openPanel({ kind: 'profile', name: task.name })
    },
    async createProfile(name, from) {
      const made = await carryOut(() => api.call('profile.create', { name, from }))
      if (made) show(made, `${name} was made.`)
    },
    async duplicateProfile(name, as) {
      const made = await carryOut(() => api.call('profile.duplicate', { name, as }))
      if (made) show(made, `${name} was duplicated as ${as}.`)
    },
    async renameProfile(name, to) {
      const made = await carryOut(() => api.call('profile.rename', { name, to }))
      if (!made) return
      forget(name)
      get().moveEditor(name, to)
      show(made, `${name} is now ${to}.`)
    },
    async deleteProfile(name) {
      const gone = await carryOut(() => api.call('profile.remove', { name }))
      if (!gone) return
      const what = `${name} was moved to the trash.`
      const { panel } = get()
      get().closeEditor(name)
      get().openPanel(panel)
      note(name, { what, path: gone.trash, notes: gone.notes })
      get().announce(what)
    },
    async importProfile(from) {
      const reply = await api.call('profile.pickImport', { from })
      if (!reply.ok) return get().report('Nothing was imported.', reply.error)
      if (!reply.value) return
      const { task } = get()
      if (task?.kind === 'new') set({ task: null, taskError: null })
      await get().loadProfiles()
      show(reply.value, `${reply.value.name} was imported.`)
    },
    async exportProfile(name) {
      const reply = await api.call('profile.pickExport', { name })
      if (!reply.ok) return get().report(`${name} was not exported.`, reply.error)
      if (!reply.value) return
      const what = `${name} was copied.`
      note(name, { what, path: reply.value.folder, notes: [] })
      get().announce(what)
      get().openPanel({ kind: 'profile', name })
    },
    dismissOutcome: forget,
  }
}
