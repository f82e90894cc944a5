import { Settings } from 'lucide-react'
import { useActions } from '../../store/context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { HostLine } from './host-line.tsx'
import { ProfileList } from './profile-list.tsx'
import { ProjectList } from './project-list.tsx'
import './sidebar.css'

export function Sidebar() {
  const { openPanel } = useActions()
  return (
    <nav className="sidebar" aria-label="Projects and profiles" data-region>
      <ProjectList />
      <ProfileList />
      <div className="sidebar-foot">
        <HostLine />
        <IconButton icon={Settings} label="Settings" onClick={() => openPanel({ kind: 'settings' })} />
      </div>
    </nav>
  )
}
