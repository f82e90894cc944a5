/** A profile was changed; what failed after that is one more thing to know of it. @param what a clause without a full stop */
export async function withNote<T extends { notes: string[] }>(done: T, what: string, step: Promise<void>): Promise<T> {
  const why = await step.then(() => null, (error: unknown) => (error instanceof Error ? error.message : String(error)))
  return why === null ? done : { ...done, notes: [...done.notes, `${what}: ${why}`] }
}
