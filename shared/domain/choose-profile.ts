import { defaultProfile, type ProfileStatus } from './profile.ts'

/** The profile that a project is launched with unless the person says otherwise: the last one, else the default, else any that runs. Pure. */
export function chooseProfile(lastProfile: string | null, profiles: readonly ProfileStatus[]): string {
  if (lastProfile !== null && profiles.some(({ name }) => name === lastProfile)) return lastProfile
  const fallback = profiles.find(({ name }) => name === defaultProfile) ?? profiles.find(({ runnable, error }) => runnable && error === null)
  return fallback?.name ?? defaultProfile
}
