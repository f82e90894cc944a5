import type { Stats } from '../../shared/contract/window-contract.ts'
import { chooseLaunch } from '../../shared/domain/launch-choice.ts'
import type { Isolation, Sandbox } from '../../shared/domain/sandbox.ts'
import type { SeenSandbox } from '../../shared/domain/sandbox-tabs.ts'
import { launchNameOf } from '../../shared/domain/try-folder.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import type { MakeSlice } from './slice.ts'

/** A sandbox that the window launched or attached to. */
export interface OpenSandbox extends SeenSandbox {
  /** null while it is being attached, and when that failed. */
  terminalId: string | null
  warnings: readonly string[]
  error: ErrorReport | null
  /** Why Paddock itself ended it. */
  failure?: ErrorReport
  /** What the person chose when they launched it here, against their settings. */
  chosenIsolation?: Isolation | undefined
}

export interface Launched {
  sandboxId: string
  terminalId: string
  project: string
  profile: string
  warnings: readonly string[]
  chosenIsolation?: Isolation | undefined
}

export interface SandboxesSlice {
  /** In the order of their start; null until the first answer. */
  sandboxes: readonly Sandbox[] | null
  sandboxesError: ErrorReport | null
  stats: Readonly<Record<string, Stats>>
  open: Readonly<Record<string, OpenSandbox>>
  /** Sandboxes that were asked to stop and have not yet. */
  stopping: readonly string[]
  loadSandboxes(): Promise<void>
  setSandboxes(sandboxes: readonly Sandbox[]): void
  setStats(stats: readonly Stats[]): void
  noteLaunched(launched: Launched): void
  /** Shows a sandbox's tab and opens its terminal. */
  showSandbox(id: string): Promise<void>
  /** Opens the terminal anew after it was lost. */
  attachAgain(id: string): Promise<void>
  noteExit(id: string, exitCode: number | null): void
  /** Paddock itself ended a sandbox that was launched here. */
  noteFailure(id: string, failure: ErrorReport): void
  closeTab(id: string): void
  stopSandbox(id: string): Promise<boolean>
  restartSandbox(id: string): Promise<void>
  removeSandbox(id: string): Promise<void>
  /** The `podman` command line that gives the same sandbox; null when it cannot be told. */
  commandOf(id: string): Promise<string | null>
}

const byStart = (a: Sandbox, b: Sandbox) => (a.startedAt ?? '').localeCompare(b.startedAt ?? '') || a.id.localeCompare(b.id)

export const makeSandboxesSlice: MakeSlice<SandboxesSlice> = (api) => (set, get) => {
  const update = (id: string, change: Partial<OpenSandbox>) =>
    set(({ open }) => (open[id] ? { open: { ...open, [id]: { ...open[id], ...change } } } : {}))
  const attach = async (id: string) => {
    const reply = await api.call('sandbox.attach', { id })
    update(id, reply.ok ? { terminalId: reply.value.terminalId, error: null } : { error: reply.error })
  }

  return {
    sandboxes: null,
    sandboxesError: null,
    stats: {},
    open: {},
    stopping: [],
    async loadSandboxes() {
      const reply = await api.call('sandbox.list', {})
      if (!reply.ok) set({ sandboxesError: reply.error })
      // An event that came meanwhile is newer.
      else if (get().sandboxes === null) get().setSandboxes(reply.value)
    },
    setSandboxes(sandboxes) {
      const listed = new Set(sandboxes.map(({ id }) => id))
      set(({ stopping, open }) => ({
        sandboxes: [...sandboxes].sort(byStart),
        open: Object.fromEntries(Object.entries(open).map(([id, one]) => [id, listed.has(id) && !one.wasListed ? { ...one, wasListed: true } : one])),
        sandboxesError: null,
        stopping: stopping.filter((id) => sandboxes.some((sandbox) => sandbox.id === id && sandbox.state === 'running')),
      }))
      if (sandboxes.some(({ egress, state }) => egress === 'allowlist' && state === 'running')) get().followEgress()
      const { view, open } = get()
      // Nobody looked into it, so there are no last words to keep a tab for.
      if (view.kind === 'sandbox' && !open[view.id] && !sandboxes.some(({ id }) => id === view.id)) get().showWelcome()
    },
    setStats: (stats) => set({ stats: Object.fromEntries(stats.map((one) => [one.id, one])) }),
    noteLaunched: ({ sandboxId: id, terminalId, project, profile, warnings, chosenIsolation }) =>
      set(({ open }) => {
        const known = open[id]
        // Shown while it started: what was seen of it since, its end above all, stays.
        if (known?.terminalId === terminalId) return { open: { ...open, [id]: { ...known, warnings, chosenIsolation } } }
        return { open: { ...open, [id]: { id, terminalId, project, profile, warnings, chosenIsolation, exitCode: undefined, wasListed: false, error: null } } }
      }),
    async showSandbox(id) {
      set({ view: { kind: 'sandbox', id }, panel: null })
      const known = get().open[id]
      if (known && known.error === null) return
      const sandbox = get().sandboxes?.find((one) => one.id === id)
      if (sandbox?.state === 'broken') return
      const { project = null, profile = '' } = sandbox ?? {}
      set(({ open }) => ({ open: { ...open, [id]: { id, project, profile, terminalId: null, warnings: [], exitCode: undefined, wasListed: sandbox !== undefined, error: null } } }))
      await Promise.all([attach(id), get().loadShells(id)])
    },
    async attachAgain(id) {
      update(id, { terminalId: null, exitCode: undefined, error: null })
      await attach(id)
    },
    noteExit(id, exitCode) {
      update(id, { exitCode })
      const title = get().open[id]?.project?.split('/').at(-1) ?? 'The sandbox'
      get().announce(exitCode === null ? `The terminal of ${title} was lost.` : `${title} ended with exit code ${exitCode}.`)
    },
    noteFailure: (id, failure) => update(id, { failure }),
    closeTab(id) {
      const { open, view } = get()
      const { [id]: closed, ...others } = open
      set({ open: others })
      get().forgetShells(id)
      if (view.kind !== 'sandbox' || view.id !== id) return
      if (closed?.project) get().showProject(launchNameOf(closed.project))
      else get().showWelcome()
    },
    async stopSandbox(id) {
      set(({ stopping }) => ({ stopping: [...stopping, id] }))
      const reply = await api.call('sandbox.stop', { ids: [id] })
      set(({ stopping }) => ({ stopping: stopping.filter((one) => one !== id) }))
      if (!reply.ok) get().report('The sandbox could not be stopped.', reply.error)
      return reply.ok
    },
    async restartSandbox(id) {
      const sandbox = get().sandboxes?.find((one) => one.id === id) ?? get().open[id]
      if (!sandbox?.project) return
      const wasChosen = get().open[id]?.chosenIsolation === 'container'
      if ('state' in sandbox && sandbox.state === 'running' && !(await get().stopSandbox(id))) return
      get().closeTab(id)
      const { profile } = sandbox
      const project = launchNameOf(sandbox.project)
      // The container that the person chose here for this sandbox is not asked about again; a dangerous profile is.
      const again = chooseLaunch(get().profiles?.find(({ name }) => name === profile), { ...get().settings, isolation: 'container' }, null)
      if (wasChosen && again.kind === 'launch') await get().launch(project, profile, { isolation: 'container' })
      else await get().requestLaunch(project, profile)
    },
    async removeSandbox(id) {
      const reply = await api.call('sandbox.remove', { ids: [id], force: true })
      if (!reply.ok) return get().report('The sandbox could not be removed.', reply.error)
      get().closeTab(id)
    },
    async commandOf(id) {
      const reply = await api.call('sandbox.command', { id })
      if (reply.ok) return reply.value
      get().report('The command is not known.', reply.error)
      return null
    },
  }
}
