import { Folder, FolderPlus, FolderX, Pin, PinOff, Play, X } from 'lucide-react'
import type { RecentProject } from '../../../shared/domain/recent-project.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { icon } from '../../ui/icon.ts'

export function ProjectList({ filter }: { filter: string }) {
  const projects = useApp((state) => state.projects)
  const actions = useActions()
  const shown = projects?.filter(({ name }) => name.toLowerCase().includes(filter.toLowerCase()))
  return (
    <section className="side-section" aria-labelledby="projects-head">
      <div className="side-head">
        <h2 id="projects-head">Projects</h2>
        <button className="icon-button" aria-label="Open a project folder" title="Open a project folder" onClick={() => void actions.pickProject()}>
          <FolderPlus {...icon} />
        </button>
      </div>
      {projects === null && <p className="side-note">Looking…</p>}
      {projects?.length === 0 && <p className="side-note">None yet. Open a folder, or drop one on this window.</p>}
      {filter !== '' && shown?.length === 0 && <p className="side-note">None fits.</p>}
      <ul>
        {shown?.map((project) => (
          <ProjectRow key={project.folder} project={project} />
        ))}
      </ul>
    </section>
  )
}

function ProjectRow({ project: { folder, name, pinned, exists } }: { project: RecentProject }) {
  const isCurrent = useApp(({ view }) => view.kind === 'project' && view.folder === folder)
  const actions = useActions()
  const Mark = exists ? (pinned ? Pin : Folder) : FolderX
  return (
    <li className="row-wrap">
      <button
        className={`row ${exists ? '' : 'gone'}`}
        aria-current={isCurrent ? 'page' : undefined}
        title={exists ? folder : `${folder} is not there any more`}
        onClick={() => actions.show({ kind: 'project', folder })}
        onDoubleClick={() => void actions.quickLaunch(folder)}
      >
        <Mark {...icon} />
        <span className="name">{name}</span>
      </button>
      <span className="row-tools">
        {exists && (
          <button className="icon-button" aria-label={`Launch ${name}`} title="Launch with the last profile" onClick={() => void actions.quickLaunch(folder)}>
            <Play {...icon} />
          </button>
        )}
        <button className="icon-button" aria-label={pinned ? `Unpin ${name}` : `Pin ${name}`} title={pinned ? 'Unpin' : 'Pin'} onClick={() => void actions.pinProject(folder, !pinned)}>
          {pinned ? <PinOff {...icon} /> : <Pin {...icon} />}
        </button>
        <button className="icon-button" aria-label={`Remove ${name} from the list`} title="Remove from the list; the folder stays" onClick={() => void actions.removeProject(folder)}>
          <X {...icon} />
        </button>
      </span>
    </li>
  )
}
