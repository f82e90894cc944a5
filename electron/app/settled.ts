/** An action that answers several reasons for it at once. */
export interface Settled {
  /** Acts in a moment, once for all that ask until then, or after a longer while unless somebody asks for it sooner. */
  soon(delayMs?: number): void
  /** Nothing is done any more. */
  close(): void
}

/** Podman tells several things about one change; one answer is enough for them all. */
const settleMs = 50
/** Who asks or holds up for longer than this is not waited for. */
const patienceMs = 2_000

/** @param isHeldUp whether something is under way that the action would make slower */
export function settled(act: () => void, isHeldUp: () => boolean): Settled {
  const state: { timer: NodeJS.Timeout | undefined; dueAt: number; askedAt: number | null; isClosed: boolean } = { timer: undefined, dueAt: Infinity, askedAt: null, isClosed: false }
  const actIn = (delayMs: number) => {
    clearTimeout(state.timer)
    state.dueAt = Date.now() + delayMs
    state.timer = setTimeout(() => {
      const askedAt = (state.askedAt ??= Date.now())
      if (isHeldUp() && Date.now() - askedAt < patienceMs) return actIn(settleMs)
      Object.assign(state, { askedAt: null, dueAt: Infinity })
      act()
    }, delayMs)
  }
  return {
    soon(delayMs = settleMs) {
      if (state.isClosed) return
      const isLater = delayMs > settleMs
      // What is due sooner answers this, too.
      if (isLater && state.dueAt <= Date.now() + delayMs) return
      if (!isLater) state.askedAt ??= Date.now()
      const hasWaited = state.askedAt !== null && Date.now() - state.askedAt >= patienceMs
      if (hasWaited && state.dueAt !== Infinity) return
      actIn(delayMs)
    },
    close() {
      state.isClosed = true
      clearTimeout(state.timer)
    },
  }
}
