import { WifiOff } from 'lucide-react'
import { useEffect } from 'react'
import { Palette } from '../features/palette/palette.tsx'
import { Panels } from '../features/panels/panels.tsx'
import { ProfilePage } from '../features/profile/profile-page.tsx'
import { ProjectPage } from '../features/project/project-page.tsx'
import { Sidebar } from '../features/sidebar/sidebar.tsx'
import { SandboxPane } from '../features/terminal/sandbox-pane.tsx'
import { useActions, useApp, useCurrent } from '../store/context.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { icon } from '../ui/icon.ts'
import { DropTarget } from './drop-target.tsx'
import { EmptyPage } from './empty-page.tsx'
import { TabBar } from './tab-bar.tsx'
import { useKeys } from './use-keys.ts'

export function App() {
  const view = useApp((state) => state.view)
  const terminals = useApp((state) => state.terminals)
  const isLoaded = useApp((state) => state.projects !== null)
  const theme = useApp((state) => state.settings.theme)
  useKeys(useCurrent())
  useEffect(() => {
    document.documentElement.style.colorScheme = theme === 'light' || theme === 'dark' ? theme : ''
  }, [theme])
  const open = new Set([...Object.keys(terminals), ...(view.kind === 'sandbox' ? [view.id] : [])])
  return (
    <div className="shell">
      <Sidebar />
      <main className="main">
        <TabBar />
        <ConnectionBanner />
        {view.kind === 'empty' && isLoaded && <EmptyPage />}
        {(view.kind === 'project' || view.kind === 'profile') && (
          <div className="pane" data-region>
            {view.kind === 'project' ? <ProjectPage key={view.folder} folder={view.folder} /> : <ProfilePage key={view.name} name={view.name} />}
          </div>
        )}
        {[...open].map((id) => (
          <SandboxPane key={id} id={id} isShown={view.kind === 'sandbox' && view.id === id} />
        ))}
        <Panels />
        <Problem />
      </main>
      <Palette />
      <DropTarget />
    </div>
  )
}

function ConnectionBanner() {
  const isConnected = useApp((state) => state.isConnected)
  const actions = useActions()
  if (isConnected) return null
  return (
    <div className="line" role="alert">
      <WifiOff {...icon} className="amber" />
      <div className="line-text">Podman does not answer, so the lists may be out of date. Paddock goes on trying; open terminals are not touched.</div>
      <button className="button" onClick={() => actions.setPanel('host')}>
        Check this machine
      </button>
    </div>
  )
}

function Problem() {
  const problem = useApp((state) => state.problem)
  const actions = useActions()
  if (!problem) return null
  return (
    <ErrorNotice error={problem} className="problem">
      <button className="button" onClick={() => actions.dismissProblem()}>
        Close
      </button>
    </ErrorNotice>
  )
}
