import type { PaddockError } from '../../../shared/errors/paddock-error.ts'

/** Tells those who wait for something on a connection that it is over. Who waits no longer is not kept, however long it lives. */
export interface Loss {
  /** Calls once with the reason, later even when it is over already. @returns takes the call back */
  onLost(tell: (error: PaddockError) => void): () => void
  /** The reason if it is heard of within a time, else another error: a connection that breaks takes its channels with it first. */
  within(ms: number, otherwise: Error): Promise<Error>
}

/** @param over settles when the connection is over @param reason asked then */
export function watchLoss(over: Promise<unknown>, reason: () => PaddockError): Loss {
  const waiting = new Set<(error: PaddockError) => void>()
  let isOver = false
  const tellAll = () => {
    isOver = true
    for (const tell of waiting) tell(reason())
    waiting.clear()
  }
  void over.then(tellAll)
  const loss: Loss = {
    onLost(tell) {
      waiting.add(tell)
      if (isOver) queueMicrotask(tellAll)
      return () => void waiting.delete(tell)
    },
    within: (ms, otherwise) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          forget()
          resolve(otherwise)
        }, ms)
        const forget = loss.onLost((error) => {
          clearTimeout(timer)
          resolve(error)
        })
      }),
  }
  return loss
}
