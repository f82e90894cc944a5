import { Circle, CircleAlert, CircleCheck, CircleDashed, Folder, FolderPlus, Pin, PinOff, Server, Settings, X } from 'lucide-react'
import type { ProfileStatus } from '../../../shared/domain/profile.ts'
import { capsInWords } from '../../../shared/domain/words.ts'
import { useActions, useApi, useApp } from '../../store/context.tsx'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

export function Sidebar() {
  return (
    <nav className="side" aria-label="Projects and profiles" data-region>
      <div className="side-lists">
        <ProjectList />
        <ProfileList />
      </div>
      <Footer />
    </nav>
  )
}

function ProjectList() {
  const projects = useApp((state) => state.projects)
  const view = useApp((state) => state.view)
  const actions = useActions()
  const api = useApi()
  return (
    <section className="side-section" aria-labelledby="projects-head">
      <div className="side-head">
        <span id="projects-head">Projects</span>
        <button className="icon-button" aria-label="Open a project folder" title="Open a project folder" onClick={() => void actions.pickProject()}>
          <FolderPlus {...icon} />
        </button>
      </div>
      {projects?.length === 0 && <p className="row quiet">None yet: open or drop a folder.</p>}
      <ul>
        {projects?.map(({ folder, name, pinned, exists }) => (
          <li key={folder} className="row-wrap">
            <button
              className={`row ${exists ? '' : 'gone'}`}
              aria-current={view.kind === 'project' && view.folder === folder}
              title={exists ? folder : `${folder} is not there any more`}
              onClick={() => actions.show({ kind: 'project', folder })}
            >
              {pinned ? <Pin {...icon} /> : <Folder {...icon} />}
              <span className="name">{name}</span>
            </button>
            <span className="row-tools">
              <button className="icon-button" aria-label={pinned ? `Unpin ${name}` : `Pin ${name}`} onClick={() => void api.call('project.pin', { folder, pinned: !pinned })}>
                {pinned ? <PinOff {...icon} /> : <Pin {...icon} />}
              </button>
              <button className="icon-button" aria-label={`Remove ${name} from the list`} onClick={() => void api.call('project.remove', { folder })}>
                <X {...icon} />
              </button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ProfileList() {
  const profiles = useApp((state) => state.profiles)
  return (
    <section className="side-section" aria-labelledby="profiles-head">
      <div className="side-head">
        <span id="profiles-head">Profiles</span>
      </div>
      {profiles === null && <p className="row quiet">Looking…</p>}
      <ul>
        {profiles?.map((profile) => (
          <li key={profile.name} className="row" title={describe(profile)}>
            <StateGlyph profile={profile} />
            <span className="name">{profile.name}</span>
            <span className="quiet">{stateWord(profile)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function stateWord({ error, state }: ProfileStatus): string {
  return error !== null ? 'broken' : state === 'fresh' ? '' : state
}

function describe({ error, reasons, caps, source }: ProfileStatus): string {
  return [error, ...reasons, capsInWords(caps), source === 'user' ? 'Your own' : null].filter(Boolean).join('\n')
}

function StateGlyph({ profile }: { profile: ProfileStatus }) {
  if (profile.error !== null) return <CircleAlert {...icon} className="bad-text" />
  if (profile.state === 'fresh') return <CircleCheck {...icon} className="good" />
  return profile.state === 'stale' ? <CircleDashed {...icon} className="amber" /> : <Circle {...icon} className="quiet" />
}

function Footer() {
  const obstacle = useApp((state) => state.obstacle)
  const isConnected = useApp((state) => state.isConnected)
  const actions = useActions()
  const word = !isConnected ? 'Podman does not answer' : obstacle === undefined ? 'Host' : obstacle === null ? 'Host · microVM' : 'Host · containers only'
  return (
    <div className="side-foot">
      <button className="row" onClick={() => actions.setPanel('host')}>
        <Server {...icon} />
        <span className={`name ${isConnected ? '' : 'bad-text'}`}>{word}</span>
      </button>
      <button className="row" onClick={() => actions.setPanel('settings')}>
        <Settings {...icon} />
        <span className="name">Settings</span>
      </button>
    </div>
  )
}
