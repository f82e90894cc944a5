import { Plus } from 'lucide-react'
import { currentProject } from '../../store/current-project.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { ListNote } from './list-note.tsx'
import { ProjectRow } from './project-row.tsx'

export function ProjectList() {
  const projects = useApp((state) => state.projects)
  const error = useApp((state) => state.projectsError)
  const selected = useApp((state) => currentProject(state) ?? undefined)
  const { pickProject, loadProjects } = useActions()
  return (
    <section className="sidebar-section projects" aria-labelledby="projects-heading">
      <header className="sidebar-heading">
        <h2 id="projects-heading">Projects</h2>
        <IconButton icon={Plus} label="Open a project folder" onClick={() => void pickProject()} />
      </header>
      {projects === null && error === null && <ListNote>Loading…</ListNote>}
      {error && <ListNote error={error} onRetry={() => void loadProjects()} />}
      {projects?.length === 0 && (
        <ListNote>No project yet. Drop a folder here.</ListNote>
      )}
      {projects !== null && projects.length > 0 && (
        <RowList
          label="Projects"
          items={projects}
          keyOf={({ folder }) => folder}
          selectedKey={selected}
          renderRow={(project, row) => <ProjectRow project={project} isSelected={project.folder === selected} row={row} />}
        />
      )}
    </section>
  )
}
