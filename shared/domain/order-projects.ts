import type { RecentProject } from './recent-project.ts'

/** Pinned projects first, by name, so that they stay where they are; then the others, the last used first. Pure. */
export function orderProjects(projects: readonly RecentProject[]): RecentProject[] {
  return [...projects].sort((a, b) => {
    if (a.pinned !== b.pinned) return a.pinned ? -1 : 1
    return a.pinned ? a.name.localeCompare(b.name) : b.lastOpenedAt.localeCompare(a.lastOpenedAt)
  })
}
