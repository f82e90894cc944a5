import type { Sandbox } from '../../shared/domain/sandbox.ts'
import type { WindowEvent } from '../../shared/contract/window-contract.ts'
import type { Core } from '../core/core.ts'
import { watchPodman, type PodmanWatch } from '../core/engine/watch.ts'

/** Keeps the list of sandboxes true by Podman's own events. */
export interface LiveSandboxes {
  now(): readonly Sandbox[]
  refresh(): Promise<void>
  close(): void
}

export interface LiveOptions {
  core: Core
  tell: (event: WindowEvent) => void
  nextRevision: () => number
  onList: (sandboxes: readonly Sandbox[]) => void
  onOutOfMemory: (sandbox: Sandbox) => void
  /** Whether anybody looks at the figures. */
  isWatched: () => boolean
}

/** Podman tells several things about one change; one listing answers them all. */
const settleMs = 50
const statsEveryMs = 3_000
/** Podman tells of a start before the sandbox has said which kernel it runs on, and of nothing after. */
const measureAgainMs = 1_000
const measureForMs = 30_000

const isToBeMeasured = ({ state, isolation, startedAt }: Sandbox) =>
  state === 'running' && isolation === 'unverified' && startedAt !== null && Date.now() - Date.parse(startedAt) < measureForMs

export function followSandboxes({ core, tell, nextRevision, onList, onOutOfMemory, isWatched }: LiveOptions): LiveSandboxes {
  const state: { sandboxes: readonly Sandbox[]; timer: NodeJS.Timeout | undefined; listing: Promise<void> } = {
    sandboxes: [],
    timer: undefined,
    listing: Promise.resolve(),
  }
  const context = { signal: new AbortController().signal, onProgress: () => {} }

  // One listing at a time, so that an older answer never replaces a newer one.
  const refresh = () => {
    state.listing = state.listing.then(async () => {
      const sandboxes = await core.handlers['sandbox.list']({}, context).catch(() => null)
      if (sandboxes === null) return
      state.sandboxes = sandboxes
      onList(sandboxes)
      tell({ type: 'sandboxes', revision: nextRevision(), sandboxes })
      if (sandboxes.some(isToBeMeasured)) refreshIn(measureAgainMs)
    })
    return state.listing
  }
  const refreshIn = (delayMs: number) => {
    clearTimeout(state.timer)
    state.timer = setTimeout(() => void refresh(), delayMs)
  }
  const refreshSoon = () => refreshIn(settleMs)

  const watch: PodmanWatch = watchPodman(core.podman, core.paths.privateSocket, {
    onContainers: refreshSoon,
    onImages: () => tell({ type: 'profiles-changed' }),
    onConnection(isConnected) {
      tell({ type: 'connection', isConnected })
      if (!isConnected) return
      refreshSoon()
      tell({ type: 'profiles-changed' })
    },
    onOutOfMemory(id) {
      const sandbox = state.sandboxes.find((candidate) => candidate.id === id)
      if (sandbox) onOutOfMemory(sandbox)
    },
  })
  const statsTimer = setInterval(async () => {
    const running = state.sandboxes.filter((sandbox) => sandbox.state === 'running')
    if (running.length === 0 || !isWatched()) return
    const stats = await watch.stats(running.map(({ id }) => id))
    if (stats.length > 0) tell({ type: 'stats', stats })
  }, statsEveryMs)
  refreshSoon()

  return {
    now: () => state.sandboxes,
    refresh,
    close() {
      clearTimeout(state.timer)
      clearInterval(statsTimer)
      watch.close()
    },
  }
}
