/**
 * Runs one thing at a time. Who asks while it runs gets the answer of one more run, which begins after the question and
 * is shared by all who wait: the answer is never older than the question, and a flood of questions is two runs.
 */
export function shareRuns<A extends unknown[], T>(run: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  const state: { running: Promise<T> | null; next: Promise<T> | null } = { running: null, next: null }
  const start = (...args: A) => {
    const running = run(...args).finally(() => {
      state.running = null
    })
    state.running = running
    return running
  }
  return (...args) => {
    if (state.running === null) return state.next ?? start(...args)
    state.next ??= state.running.then(
      () => beginNext(...args),
      () => beginNext(...args),
    )
    return state.next
  }

  function beginNext(...args: A): Promise<T> {
    state.next = null
    return start(...args)
  }
}
