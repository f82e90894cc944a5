import { chooseLaunch } from '../../shared/domain/launch-choice.ts'
import { defaultProfile } from '../../shared/domain/profile.ts'
import type { Api } from '../api/api.ts'
import type { AppActions, AppStore, Launch } from './state.ts'
import { afterProgress, newWork, without } from './work.ts'

type LaunchActions = Pick<AppActions, 'quickLaunch' | 'launch' | 'cancelLaunch' | 'dismissLaunch' | 'restart'>

/** Launching, from the click to the terminal. @param loadFacts asks for what decides a launch, where it is not known yet */
export function createLaunches(api: Api, set: AppStore['setState'], get: AppStore['getState'], loadFacts: () => Promise<void>): LaunchActions {
  const cancels = new Map<string, AbortController>()
  const update = (project: string, change: (launch: Launch) => Partial<Launch>) =>
    set(({ launches }) => {
      const launch = launches[project]
      return launch ? { launches: { ...launches, [project]: { ...launch, ...change(launch) } } } : {}
    })

  return {
    async quickLaunch(folder) {
      get().show({ kind: 'project', folder })
      if (get().launches[folder]?.isRunning) return
      await loadFacts()
      const { projects, profiles, settings, obstacle } = get()
      const name = projects?.find((project) => project.folder === folder)?.lastProfile ?? defaultProfile
      const choice = chooseLaunch(profiles?.find((profile) => profile.name === name), settings, obstacle)
      if (choice.kind === 'launch') await get().launch(folder, name, { acceptFindings: false })
    },
    async launch(project, profile, choices) {
      if (get().launches[project]?.isRunning) return
      const abort = new AbortController()
      cancels.set(project, abort)
      const launch: Launch = { ...newWork(), project, profile, choices }
      set(({ launches }) => ({ launches: { ...launches, [project]: launch }, view: { kind: 'project', folder: project }, panel: null }))
      const reply = await api.call(
        'sandbox.launch',
        { project, profile, ...choices },
        { signal: abort.signal, onProgress: (progress) => update(project, (now) => afterProgress(now, progress)) },
      )
      cancels.delete(project)
      if (!reply.ok) {
        // Who cancelled knows it: there is nothing to read.
        if (reply.error.code === 'cancelled') return get().dismissLaunch(project)
        return update(project, () => ({ isRunning: false, error: reply.error }))
      }
      const { sandboxId } = reply.value
      set(({ launches, terminals, view }) => ({
        launches: without(launches, project),
        terminals: { ...terminals, [sandboxId]: reply.value },
        // Only who still waits for it is taken there.
        ...(view.kind === 'project' && view.folder === project ? { view: { kind: 'sandbox', id: sandboxId } as const } : {}),
      }))
    },
    cancelLaunch: (project) => cancels.get(project)?.abort(),
    dismissLaunch: (project) => set(({ launches }) => ({ launches: without(launches, project) })),
    async restart(id) {
      const sandbox = get().sandboxes?.find((candidate) => candidate.id === id)
      if (!sandbox?.project || !(await get().stop(id))) return
      get().closeTab(id)
      const isolation = sandbox.isolation === 'unverified' ? undefined : sandbox.isolation
      await get().launch(sandbox.project, sandbox.profile, { isolation, acceptFindings: false })
    },
  }
}
