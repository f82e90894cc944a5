/**
 * A throwaway sandbox of a profile stands on an empty folder made for it. Where a project's folder would be named before
 * there is one, `try-NAME` is: absolute paths, which projects have, begin otherwise.
 */
export const tryName = (profile: string) => `try-${profile}`

const pattern = /^(?:\/.*\/paddock\/tries\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/)?try-([a-z0-9][a-z0-9._-]{0,62})$/

/** The profile that a project folder, or the name of one to come, was made to try; null for a person's own project. Pure. */
export function triedProfile(project: string): string | null {
  return pattern.exec(project)?.[1] ?? null
}

/** What a project is launched as again: a throwaway folder goes with its sandbox, so the next one gets another. Pure. */
export function launchNameOf(project: string): string {
  const profile = triedProfile(project)
  return profile === null ? project : tryName(profile)
}
