import { orderProjects } from '../../shared/domain/order-projects.ts'
import type { RecentProject } from '../../shared/domain/recent-project.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import type { MakeSlice } from './slice.ts'

export interface ProjectsSlice {
  /** In the order of the sidebar; null until the first answer. */
  projects: readonly RecentProject[] | null
  projectsError: ErrorReport | null
  loadProjects(): Promise<void>
  setProjects(projects: readonly RecentProject[]): void
  /** Adds a folder and shows it. */
  addProject(folder: string): Promise<void>
  /** Lets the person choose a folder in the system's dialog. */
  pickProject(): Promise<void>
  pinProject(folder: string, pinned: boolean): Promise<void>
  removeProject(folder: string): Promise<void>
  revealProject(folder: string): Promise<void>
}

export const makeProjectsSlice: MakeSlice<ProjectsSlice> = (api) => (set, get) => {
  /** The list changes at once; the event that follows has the last word. */
  const patch = (change: (projects: readonly RecentProject[]) => readonly RecentProject[]) =>
    set(({ projects }) => ({ projects: projects && orderProjects(change(projects)) }))
  const remember = (project: RecentProject) => patch((projects) => [project, ...projects.filter(({ folder }) => folder !== project.folder)])

  return {
    projects: null,
    projectsError: null,
    async loadProjects() {
      const reply = await api.call('project.list', {})
      if (!reply.ok) set({ projectsError: reply.error })
      // An event that came meanwhile is newer.
      else set(({ projects }) => ({ projects: projects ?? orderProjects(reply.value), projectsError: null }))
    },
    setProjects: (projects) => set({ projects: orderProjects(projects), projectsError: null }),
    async addProject(folder) {
      const reply = await api.call('project.add', { folder })
      if (!reply.ok) return get().report('The folder was not added.', reply.error)
      remember(reply.value)
      get().showProject(reply.value.folder)
    },
    async pickProject() {
      const reply = await api.call('project.pick', {})
      if (!reply.ok) return get().report('The folder was not added.', reply.error)
      if (!reply.value) return
      remember(reply.value)
      get().showProject(reply.value.folder)
    },
    async pinProject(folder, pinned) {
      patch((projects) => projects.map((project) => (project.folder === folder ? { ...project, pinned } : project)))
      const reply = await api.call('project.pin', { folder, pinned })
      if (reply.ok) return
      patch((projects) => projects.map((project) => (project.folder === folder ? { ...project, pinned: !pinned } : project)))
      get().report(`The project was not ${pinned ? 'pinned' : 'unpinned'}.`, reply.error)
    },
    async removeProject(folder) {
      const reply = await api.call('project.remove', { folder })
      if (!reply.ok) return get().report('The project was not removed from the list.', reply.error)
      patch((projects) => projects.filter((project) => project.folder !== folder))
      const { view } = get()
      if (view.kind === 'project' && view.folder === folder) get().showWelcome()
    },
    async revealProject(folder) {
      const reply = await api.call('project.reveal', { folder })
      if (!reply.ok) get().report('The folder could not be shown.', reply.error)
    },
  }
}
