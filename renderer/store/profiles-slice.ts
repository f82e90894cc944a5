import type { ProfileStatus } from '../../shared/domain/profile.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import type { MakeSlice } from './slice.ts'
import { addProgress, collectProgress, endWork, startWork, type Work } from './work.ts'

/** A build from a profile's panel. */
export interface ProfileBuild extends Work {
  /** On the newest base image; trying again means that, too. */
  pull: boolean
}

export interface ProfilesSlice {
  /** null until the first answer. */
  profiles: readonly ProfileStatus[] | null
  profilesError: ErrorReport | null
  /** Builds that were started from a profile's panel, by its name. */
  builds: Readonly<Record<string, ProfileBuild>>
  loadProfiles(): Promise<void>
  /** @param force build even what is fresh @param pull get the newest base image first */
  buildProfile(name: string, force: boolean, pull?: boolean): Promise<void>
  /** Builds what stands on a profile's base image anew, on the newest one; the panel of that profile shows it. */
  refreshBase(name: string): Promise<void>
  cancelBuild(name: string): void
  dismissBuild(name: string): void
}

export const makeProfilesSlice: MakeSlice<ProfilesSlice> = (api) => (set, get) => {
  const aborts = new Map<string, AbortController>()
  const questions = { asked: 0, answered: 0 }
  const update = (name: string, change: (work: ProfileBuild) => ProfileBuild) =>
    set(({ builds }) => (builds[name] ? { builds: { ...builds, [name]: change(builds[name]) } } : {}))

  return {
    profiles: null,
    profilesError: null,
    builds: {},
    async loadProfiles() {
      // Two questions may be answered in the other order; the answer to a later one is newer. Not to wait for the last
      // one's: while images change there may always be another.
      const asked = ++questions.asked
      const reply = await api.call('profile.list', {})
      if (asked < questions.answered) return
      questions.answered = asked
      set(reply.ok ? { profiles: reply.value, profilesError: null } : { profilesError: reply.error })
    },
    async buildProfile(name, force, pull = false) {
      if (aborts.has(name)) return
      const abort = new AbortController()
      aborts.set(name, abort)
      set(({ builds }) => ({ builds: { ...builds, [name]: { ...startWork(Date.now()), pull } } }))
      const progress = collectProgress((news) => update(name, (work) => ({ ...work, ...addProgress(work, news) })))
      const reply = await api.call('profile.build', { profile: name, force, ...(pull && { pull }) }, { signal: abort.signal, onProgress: progress.add })
      progress.flush()
      aborts.delete(name)
      update(name, (work) => ({ ...work, ...endWork(work, Date.now(), reply.ok ? null : reply.error) }))
      get().announce(reply.ok ? `${name} is built.` : `${name} was not built.`)
      await get().loadProfiles()
    },
    async refreshBase(name) {
      const base = get().profiles?.find((profile) => profile.name === name)?.base
      if (!base) return
      get().openPanel({ kind: 'profile', name: base.profile })
      await get().buildProfile(base.profile, true, true)
    },
    cancelBuild(name) {
      aborts.get(name)?.abort()
      update(name, (work) => ({ ...work, status: 'cancelling' }))
    },
    dismissBuild: (name) =>
      set(({ builds }) => {
        const { [name]: _gone, ...others } = builds
        return { builds: others }
      }),
  }
}
