import type { Sandbox } from './sandbox.ts'

/** What the window knows of a sandbox beyond Podman's list: it launched it or looked at it. */
export interface SeenSandbox {
  id: string
  project: string | null
  profile: string
  /** How its terminal ended: an exit code, null when it was lost, undefined while it goes on. */
  exitCode: number | null | undefined
  /** Whether Podman's list had it once, so that its absence means its end. */
  wasListed: boolean
}

/** A tab of the window. */
export interface SandboxTab {
  id: string
  /** Last part of the project's path, else the short id. */
  title: string
  project: string | null
  profile: string
  /** Another tab has the same title, so it takes the profile to tell them apart. */
  isAmbiguous: boolean
  state: 'running' | 'starting' | 'ended' | 'lost' | 'broken'
}

type Unnamed = Omit<SandboxTab, 'isAmbiguous'>

/**
 * One tab for each sandbox that runs or is broken, and for each that ended under the person's eyes, so that its last
 * words can be read. Pure.
 * @param listed Podman's list in the order of their start
 */
export function tabsOf(listed: readonly Sandbox[], seen: readonly SeenSandbox[]): SandboxTab[] {
  const seenById = new Map(seen.map((one) => [one.id, one]))
  const shown = listed.filter(({ id, state }) => isAlive(state) || state === 'broken' || seenById.has(id))
  const tabs = shown.map(({ id, project, profile, state }): Unnamed => ({
    id,
    title: nameOf(project, id),
    project,
    profile,
    state: stateOf(state, seenById.get(id)),
  }))
  const known = new Set(listed.map(({ id }) => id))
  const others = seen
    .filter(({ id }) => !known.has(id))
    .map(({ id, project, profile, exitCode, wasListed }): Unnamed => ({
      id,
      title: nameOf(project, id),
      project,
      profile,
      state: exitCode === null ? 'lost' : exitCode === undefined && !wasListed ? 'starting' : 'ended',
    }))
  const all = [...tabs, ...others]
  const counts = new Map<string, number>()
  for (const { title } of all) counts.set(title, (counts.get(title) ?? 0) + 1)
  return all.map((tab) => ({ ...tab, isAmbiguous: counts.get(tab.title)! > 1 }))
}

function isAlive(state: string): boolean {
  return state === 'running' || state === 'paused' || state === 'stopping'
}

function stateOf(state: string, seen: SeenSandbox | undefined): SandboxTab['state'] {
  if (state === 'broken') return 'broken'
  if (seen?.exitCode === null) return 'lost'
  if (isAlive(state)) return seen?.exitCode === undefined ? 'running' : 'ended'
  return seen?.exitCode === undefined ? 'starting' : 'ended'
}

/** A sandbox as people call it: the last part of its project’s path, else its short id. Pure. */
export function nameOf(project: string | null, id: string): string {
  return project?.split('/').findLast(Boolean) ?? id.slice(0, 12)
}
