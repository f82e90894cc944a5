import { Search, Server, Settings } from 'lucide-react'
import { useState } from 'react'
import { useActions, useApp } from '../../store/context.tsx'
import { icon } from '../../ui/icon.ts'
import { ProfileList } from './profile-list.tsx'
import { ProjectList } from './project-list.tsx'

/** From here on finding by eye takes longer than typing. */
const manyRows = 20

export function Sidebar() {
  const count = useApp((state) => (state.projects?.length ?? 0) + (state.profiles?.length ?? 0))
  const [filter, setFilter] = useState('')
  const wanted = count > manyRows ? filter : ''
  return (
    <nav className="side" aria-label="Projects and profiles" data-region>
      {count > manyRows && (
        <label className="side-filter">
          <Search {...icon} />
          <input
            type="search"
            placeholder="Filter"
            aria-label="Filter projects and profiles"
            value={filter}
            onChange={({ target }) => setFilter(target.value)}
            onKeyDown={({ key }) => key === 'Escape' && setFilter('')}
          />
        </label>
      )}
      <div className="side-lists" tabIndex={-1}>
        <ProjectList filter={wanted} />
        <ProfileList filter={wanted} />
      </div>
      <Footer />
    </nav>
  )
}

function Footer() {
  const obstacle = useApp((state) => state.obstacle)
  const isConnected = useApp((state) => state.isConnected)
  const panel = useApp((state) => state.panel)
  const actions = useActions()
  const word = !isConnected ? 'Podman does not answer' : obstacle === undefined ? 'Host' : obstacle === null ? 'Host · microVM' : 'Host · containers only'
  return (
    <div className="side-foot">
      <button className="row" aria-expanded={panel === 'host'} onClick={() => actions.setPanel(panel === 'host' ? null : 'host')}>
        <Server {...icon} />
        <span className={`name ${isConnected ? '' : 'bad-text'}`}>{word}</span>
      </button>
      <button className="row" aria-expanded={panel === 'settings'} onClick={() => actions.setPanel(panel === 'settings' ? null : 'settings')}>
        <Settings {...icon} />
        <span className="name">Settings</span>
      </button>
    </div>
  )
}
