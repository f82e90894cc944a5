import { lazy, Suspense, useEffect, useState } from 'react'
import { PanelHost } from '../features/panels/panel-host.tsx'
import { ProjectPage } from '../features/project/project-page.tsx'
import { Sidebar } from '../features/sidebar/sidebar.tsx'
import { useApp, useAppParts } from '../store/context.tsx'
import { lazyAhead } from '../ui/lazy-ahead.ts'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { Announcer } from './announcer.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { DropTarget } from './drop-target.tsx'
import { ProblemNotice } from './problem-notice.tsx'
import { TabBar } from './tab-bar.tsx'
import { useKeys } from './use-keys.ts'
import { Welcome } from './welcome.tsx'
import './shell.css'

// A terminal is most of the code and none of the first sight.
const sandboxPane = lazyAhead(() => import('../features/terminal/sandbox-pane.tsx'))
const spareTerminal = lazyAhead(() => import('../features/terminal/spare-terminal.tsx'))
const palette = lazyAhead(() => import('../features/palette/palette.tsx'))
const [SandboxPane, SpareTerminal, Palette] = [sandboxPane.Component, spareTerminal.Component, palette.Component]
const EditorPage = lazy(() => import('../features/editor/editor-page.tsx'))

export function App() {
  useKeys()
  useTheme()
  const canLaunch = useApp((state) => state.profiles !== null)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    if (!canLaunch) return
    // Ready before the first launch asks for it, but not before the first key is answered.
    const idle = requestIdleCallback(() => void Promise.all([sandboxPane.load(), spareTerminal.load(), palette.load()]).then(() => setReady(true)))
    return () => cancelIdleCallback(idle)
  }, [canLaunch])
  const isPaletteOpen = useApp((state) => state.palette !== null)
  return (
    <TooltipProvider delayDuration={400} skipDelayDuration={200}>
      <div className="shell">
        <Sidebar />
        <main className="main">
          <TabBar />
          <ConnectionBar />
          <ProblemNotice />
          <div className="stage">
            <MainPane />
            <Suspense>{isReady && <SpareTerminal />}</Suspense>
          </div>
        </main>
        <PanelHost />
        <Suspense>{isPaletteOpen && <Palette />}</Suspense>
        <DropTarget />
        <Announcer />
      </div>
    </TooltipProvider>
  )
}

function MainPane() {
  const view = useApp((state) => state.view)
  const openIds = useAppParts((state) => Object.keys(state.open))
  const shownId = view.kind === 'sandbox' ? view.id : null
  const ids = shownId !== null && !openIds.includes(shownId) ? [...openIds, shownId] : openIds
  return (
    <div className="pane-host" data-region>
      {view.kind === 'welcome' && <Welcome />}
      {view.kind === 'project' && <ProjectPage key={view.folder} folder={view.folder} />}
      <Suspense>{view.kind === 'editor' && <EditorPage key={view.name} name={view.name} />}</Suspense>
      <Suspense>
        {ids.map((id) => (
          // Stays mounted, so that a tab shows what came while another one was looked at.
          <SandboxPane key={id} id={id} isShown={id === shownId} />
        ))}
      </Suspense>
    </div>
  )
}

function useTheme(): void {
  const theme = useApp(({ settings }) => settings.theme ?? 'system')
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
}
