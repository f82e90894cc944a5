import { sandboxLabels } from '../../shared/domain/launch.ts'
import type { Sandbox } from '../../shared/domain/sandbox.ts'
import type { WindowEvent } from '../../shared/contract/window-contract.ts'
import type { Core } from '../core/core.ts'
import { type Death, watchPodman, type PodmanWatch } from '../core/engine/watch.ts'
import { createOomWatch } from '../core/sandboxes/memory-events.ts'
import { isSandbox } from '../core/sandboxes/list-sandboxes.ts'
import { settled } from './settled.ts'

/** Keeps the list of sandboxes true by Podman's own events. */
export interface LiveSandboxes {
  /** Asks and listens from now on; called again it does nothing. Until then nothing is started that the first sight of the window would wait for. */
  begin(): void
  now(): readonly Sandbox[]
  refresh(): Promise<void>
  /** See `PodmanWatch`. */
  wasOutOfMemory(id: string): Promise<boolean>
  close(): void
}

/** A sandbox's end, by Podman's word. */
export interface SandboxEnd {
  id: string
  project: string | null
  exitCode: number
}

export interface LiveOptions {
  core: Core
  tell: (event: WindowEvent) => void
  nextRevision: () => number
  onList: (sandboxes: readonly Sandbox[]) => void
  onEnd: (end: SandboxEnd) => void
  /** The kernel ended something in a sandbox that goes on. */
  onOutOfMemory: (sandbox: Sandbox) => void
  /** Somebody sends a sandbox a signal, which most likely ends it. */
  onKilled: (id: string) => void
  /** Whether anybody looks at the figures. */
  isWatched: () => boolean
  /** Whether a sandbox is on its way to its prompt: listing asks Podman, which would make it come later. */
  isStarting: () => boolean
}

const statsEveryMs = 3_000
/** Podman tells of a start before the sandbox has said which kernel it runs on, and of nothing after. */
const measureAgainMs = 1_000
const measureForMs = 30_000

const isToBeMeasured = ({ state, isolation, startedAt }: Sandbox) =>
  state === 'running' && isolation === 'unverified' && startedAt !== null && Date.now() - Date.parse(startedAt) < measureForMs

/** A sandbox may end before it was ever listed. */
const isOurs = ({ labels, image }: Death) => isSandbox({ Labels: labels, Image: image })

interface LiveState {
  sandboxes: readonly Sandbox[]
  /** Of all that were ever listed, by id: a list may be without a sandbox before its end is heard of, and a plain one's event names no project. */
  projects: Map<string, string | null>
  statsTimer: NodeJS.Timeout | undefined
  listing: Promise<void>
  watch: PodmanWatch | null
  isClosed: boolean
}

export function followSandboxes({ core, tell, nextRevision, onList, onEnd, onOutOfMemory, onKilled, isWatched, isStarting }: LiveOptions): LiveSandboxes {
  const state: LiveState = { sandboxes: [], projects: new Map(), statsTimer: undefined, listing: Promise.resolve(), watch: null, isClosed: false }
  const context = { signal: new AbortController().signal, onProgress: () => {} }
  const oomWatch = createOomWatch(core.podman)

  // One listing at a time, so that an older answer never replaces a newer one.
  const refresh = () => {
    state.listing = state.listing.then(async () => {
      const sandboxes = await core.handlers['sandbox.list']({}, context).catch(() => null)
      if (sandboxes === null) return
      state.sandboxes = sandboxes
      for (const { id, project } of sandboxes) state.projects.set(id, project)
      onList(sandboxes)
      tell({ type: 'sandboxes', revision: nextRevision(), sandboxes })
      if (sandboxes.some(isToBeMeasured)) nextListing.soon(measureAgainMs)
    })
    return state.listing
  }
  const nextListing = settled(() => void refresh(), isStarting)
  const imagesNews = settled(() => tell({ type: 'profiles-changed' }), isStarting)

  const watch = () =>
    watchPodman(core.podman, core.paths.socketsFolder, {
      onContainers: () => nextListing.soon(),
      // Every launch is one to Podman, and the page answers with a list of all profiles.
      onImages: () => imagesNews.soon(),
      onConnection(isConnected) {
        tell({ type: 'connection', isConnected })
        if (!isConnected) return
        nextListing.soon()
        imagesNews.soon()
      },
      onDied(death) {
        if (state.projects.has(death.id) || isOurs(death)) onEnd({ id: death.id, project: state.projects.get(death.id) ?? death.labels[sandboxLabels.project] ?? null, exitCode: death.exitCode })
      },
      onKilled,
    }, performance.timeOrigin)
  const look = async () => {
    const running = state.sandboxes.filter((sandbox) => sandbox.state === 'running')
    const ids = running.map(({ id }) => id)
    for (const id of await oomWatch.look(ids)) onOutOfMemory(running.find((sandbox) => sandbox.id === id)!)
    if (running.length === 0 || !isWatched()) return
    const stats = (await state.watch?.stats(ids)) ?? []
    if (stats.length > 0) tell({ type: 'stats', stats })
  }
  // The next look waits for the last one, however long Podman takes.
  const lookLater = () => {
    if (state.isClosed) return
    state.statsTimer = setTimeout(() => void look().finally(lookLater), statsEveryMs)
  }

  return {
    begin() {
      if (state.watch !== null) return
      state.watch = watch()
      lookLater()
      nextListing.soon()
    },
    now: () => state.sandboxes,
    refresh,
    wasOutOfMemory: async (id) => (await state.watch?.wasOutOfMemory(id)) ?? false,
    close() {
      state.isClosed = true
      nextListing.close()
      imagesNews.close()
      clearTimeout(state.statsTimer)
      state.watch?.close()
    },
  }
}
