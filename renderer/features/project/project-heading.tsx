import { FolderOpen, Pin, PinOff } from 'lucide-react'
import type { RecentProject } from '../../../shared/domain/recent-project.ts'
import { useActions } from '../../store/context.tsx'
import { IconButton } from '../../ui/button.tsx'

export function ProjectHeading({ folder, project }: { folder: string; project: RecentProject | undefined }) {
  const { pinProject, revealProject } = useActions()
  const isPinned = project?.pinned ?? false
  return (
    <header className="project-heading">
      <div className="grow">
        <h1 className="ellipsis selectable">{project?.name ?? folder.split('/').at(-1)}</h1>
        <p className="mono quiet ellipsis selectable" title={folder}>
          {folder}
        </p>
      </div>
      {project && <IconButton icon={isPinned ? PinOff : Pin} label={isPinned ? 'Unpin' : 'Pin'} onClick={() => void pinProject(folder, !isPinned)} />}
      <IconButton icon={FolderOpen} label="Show in file manager" disabled={project?.exists === false} onClick={() => void revealProject(folder)} />
    </header>
  )
}
