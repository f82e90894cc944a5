import { useEffect, useState } from 'react'
import { Palette } from '../features/palette/palette.tsx'
import { Panels } from '../features/panels/panels.tsx'
import { ProjectPage } from '../features/project/project-page.tsx'
import { Sidebar } from '../features/sidebar/sidebar.tsx'
import { SandboxPane } from '../features/terminal/sandbox-pane.tsx'
import { useActions, useApi, useApp } from '../store/context.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { TabBar } from './tab-bar.tsx'
import { useKeys } from './use-keys.ts'

export function App() {
  const view = useApp((state) => state.view)
  const terminals = useApp((state) => state.terminals)
  const problem = useApp((state) => state.problem)
  const theme = useApp((state) => state.settings.theme)
  const actions = useActions()
  useKeys()
  useEffect(() => {
    document.documentElement.style.colorScheme = theme === 'light' || theme === 'dark' ? theme : ''
  }, [theme])
  const open = new Set([...Object.keys(terminals), ...(view.kind === 'sandbox' ? [view.id] : [])])
  return (
    <div className="shell">
      <Sidebar />
      <main className="main">
        <TabBar />
        {view.kind === 'empty' && <EmptyPage />}
        {view.kind === 'project' && (
          <div className="pane" data-region>
            <ProjectPage key={view.folder} folder={view.folder} />
          </div>
        )}
        {[...open].map((id) => (
          <SandboxPane key={id} id={id} isShown={view.kind === 'sandbox' && view.id === id} />
        ))}
        <Panels />
        {problem && (
          <ErrorNotice error={problem} className="problem">
            <button className="button" onClick={() => actions.dismissProblem()}>
              Close
            </button>
          </ErrorNotice>
        )}
      </main>
      <Palette />
      <DropTarget />
    </div>
  )
}

function EmptyPage() {
  const actions = useActions()
  return (
    <div className="page" data-region>
      <div className="page-inner">
        <h1>Open a project folder</h1>
        <p className="quiet">An agent gets this folder and nothing else of yours. Drop a folder here, or choose one.</p>
        <div className="actions">
          <button className="button primary" data-primary onClick={() => void actions.pickProject()}>
            Open a folder…
          </button>
        </div>
      </div>
    </div>
  )
}

/** A folder dropped anywhere becomes a project. */
function DropTarget() {
  const api = useApi()
  const actions = useActions()
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => event.relatedTarget === null && setOver(false)
    const drop = (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      for (const file of event.dataTransfer?.files ?? []) void actions.addProject(api.pathOf(file))
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [api, actions])
  return isOver ? <div className="drop" /> : null
}
