import { type BuildEnd, type Notice, noticeOfBuild, noticeOfEnd, noticeOfWant } from '../../shared/domain/notices.ts'
import { nameOf } from '../../shared/domain/sandbox-tabs.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import type { SandboxEnd } from './live-sandboxes.ts'

/** Where a click on a notification leads: to the sandbox if there is something of it to see, else to its project. */
export interface Place {
  sandboxId: string | null
  project: string | null
}

/** Tells the person, while they look elsewhere, what they wait for or should know. */
export interface Notifications {
  /** These sandboxes are being ended on purpose; nothing is told of their end. */
  expectEnd(ids: readonly string[]): void
  /** A sandbox goes on, but the kernel ended something in it. */
  ranOutOfMemory(sandbox: { id: string; project: string | null }): void
  /** To be called once for each end. */
  sandboxEnded(end: SandboxEnd): Promise<void>
  buildEnded(build: BuildEnd): void
}

export interface NotificationOptions {
  /** Whether the person has the window before them; they see there what happens. */
  isWatched: () => boolean
  show: (notice: Notice, onClick: () => void) => void
  open: (place: Place) => void
  /** Why Paddock itself ended a sandbox; null when it did not. */
  failureOf: (id: string) => Promise<ErrorReport | null>
  wasOutOfMemory: (id: string) => Promise<boolean>
}

/** Longer than a sandbox that is told to end takes: see `stopSandbox`. */
const expectForMs = 30_000

export function createNotifications({ isWatched, show, open, failureOf, wasOutOfMemory }: NotificationOptions): Notifications {
  const expectedUntil = new Map<string, number>()
  const isExpected = (id: string) => (expectedUntil.get(id) ?? 0) > Date.now()
  const tell = (notice: Notice | null, place: Place) => {
    if (notice !== null) show(notice, () => open(place))
  }

  return {
    expectEnd(ids) {
      for (const [id, until] of expectedUntil) if (until <= Date.now()) expectedUntil.delete(id)
      for (const id of ids) expectedUntil.set(id, Date.now() + expectForMs)
    },
    ranOutOfMemory({ id, project }) {
      tell(noticeOfWant(nameOf(project, id)), { sandboxId: id, project })
    },
    async sandboxEnded({ id, project, exitCode }) {
      // Before anything is asked: what counts is what the person saw when it happened.
      if (isWatched()) return
      const wasAsked = isExpected(id)
      const [failure, outOfMemory] = await Promise.all([failureOf(id), exitCode === 0 ? false : wasOutOfMemory(id)])
      const end = { name: nameOf(project, id), exitCode, wasAsked, wasOutOfMemory: outOfMemory, failure: failure?.message ?? null }
      tell(noticeOfEnd(end), { sandboxId: id, project })
    },
    buildEnded(build) {
      if (isWatched()) return
      tell(noticeOfBuild(build, build.project && nameOf(build.project, '')), { sandboxId: null, project: build.project })
    },
  }
}
