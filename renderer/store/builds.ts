import type { Api } from '../api/api.ts'
import type { AppActions, AppStore, Work } from './state.ts'
import { afterProgress, newWork, without } from './work.ts'

/** Building a profile's image without launching it. */
export function createBuilds(api: Api, set: AppStore['setState'], get: AppStore['getState']): Pick<AppActions, 'build' | 'cancelBuild' | 'dismissBuild'> {
  const cancels = new Map<string, AbortController>()
  const update = (profile: string, change: (build: Work) => Partial<Work>) =>
    set(({ builds }) => {
      const build = builds[profile]
      return build ? { builds: { ...builds, [profile]: { ...build, ...change(build) } } } : {}
    })

  return {
    async build(profile) {
      if (get().builds[profile]?.isRunning) return
      const abort = new AbortController()
      cancels.set(profile, abort)
      set(({ builds }) => ({ builds: { ...builds, [profile]: newWork() } }))
      // A person who rebuilds what is fresh wants every layer anew.
      const force = get().profiles?.find(({ name }) => name === profile)?.state === 'fresh'
      const reply = await api.call('profile.build', { profile, force }, { signal: abort.signal, onProgress: (progress) => update(profile, (now) => afterProgress(now, progress)) })
      cancels.delete(profile)
      if (reply.ok || reply.error.code === 'cancelled') get().dismissBuild(profile)
      else update(profile, () => ({ isRunning: false, error: reply.error }))
    },
    cancelBuild: (profile) => cancels.get(profile)?.abort(),
    dismissBuild: (profile) => set(({ builds }) => ({ builds: without(builds, profile) })),
  }
}
