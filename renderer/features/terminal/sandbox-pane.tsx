import { lazy, Suspense } from 'react'
import { activePane, ownPane, panesOf, placeOf, shownTab } from '../../../shared/domain/shell-layout.ts'
import { ownTerminalName } from '../../../shared/domain/shell-words.ts'
import { desktopPlaceOf } from '../../store/desktops-slice.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { DesktopElsewhere } from '../desktop/desktop-elsewhere.tsx'
import { EndedBar } from './ended-bar.tsx'
import { StatusLine } from './status-line.tsx'
import { TerminalPane } from './terminal-pane.tsx'
import { TerminalView } from './terminal-view.tsx'
import '@xterm/xterm/css/xterm.css'
import './terminal.css'
import './panes.css'

// Nothing of further shells is loaded before the first one.
const ShellPanes = lazy(() => import('./shell-panes.tsx').then((module) => ({ default: module.ShellPanes })))
const PromptBar = lazy(() => import('../egress/prompt-bar.tsx').then((module) => ({ default: module.PromptBar })))
// Nor anything of desktops.
const DesktopPane = lazy(() => import('../desktop/desktop-pane.tsx'))
const ShellStrip = lazy(() => import('./shell-strip.tsx').then((module) => ({ default: module.ShellStrip })))

/** A sandbox: its status line and its terminals. */
export default function SandboxPane({ id, isShown }: { id: string; isShown: boolean }) {
  const open = useApp((state) => state.open[id])
  const sandbox = useApp(({ sandboxes }) => sandboxes?.find((one) => one.id === id))
  const group = useApp(({ shells }) => shells[id])
  const isAsked = useApp(({ prompts }) => prompts.some(({ sandboxId }) => sandboxId === id))
  const tab = group && shownTab(group.layout)
  const desktop = useApp((state) => desktopPlaceOf(state, sandbox?.state === 'running' ? sandbox : undefined))
  const { attachAgain, removeSandbox, noteExit } = useActions()
  const project = sandbox?.project ?? open?.project ?? null
  const title = `Sandbox on ${project?.split('/').at(-1) ?? 'no project'}`
  return (
    <div className="sandbox-pane" hidden={!isShown}>
      <h1 className="sr-only">{title}</h1>
      <StatusLine id={id} sandbox={sandbox} />
      {open && open.exitCode !== undefined && <EndedBar open={open} isStillRunning={sandbox?.state === 'running'} />}
      {open?.failure && (
        <div className="page-note">
          <ErrorNotice what="Paddock ended this sandbox." error={open.failure} />
        </div>
      )}
      {sandbox?.state === 'broken' && (
        <div className="page">
          <ErrorNotice what="This sandbox is broken." error={{ code: 'podman-failed', message: sandbox.error ?? 'Podman does not say why.' }}>
            <Button look="danger" onClick={() => void removeSandbox(id)}>
              Remove it
            </Button>
          </ErrorNotice>
        </div>
      )}
      {open?.error && (
        <div className="page">
          <ErrorNotice what="The terminal could not be opened." error={open.error}>
            <Button onClick={() => void attachAgain(id)}>Try again</Button>
          </ErrorNotice>
        </div>
      )}
      {open && open.terminalId === null && open.error === null && (
        <p className="terminal-note quiet" role="status">
          Opening the terminal…
        </p>
      )}
      <Suspense>{isAsked && <PromptBar id={id} />}</Suspense>
      {desktop === 'window' && <DesktopElsewhere id={id} />}
      <div className="sandbox-body">
        <div className="terminals" hidden={desktop === 'alone'}>
          <Suspense>{group && <ShellStrip id={id} group={group} />}</Suspense>
          <div className="terminal-panes" data-divided={tab !== undefined && panesOf(tab).length > 1}>
            {open?.terminalId != null && (
              <TerminalPane id={id} pane={ownPane} name={ownTerminalName}>
                <TerminalView
                  key={open.terminalId}
                  id={id}
                  pane={ownPane}
                  terminalId={open.terminalId}
                  label={ownTerminalName}
                  isShown={isShown && (!tab || placeOf(tab, ownPane) !== undefined)}
                  isActive={!group || activePane(group.layout) === ownPane}
                  warnings={open.warnings}
                  onExit={(exitCode) => noteExit(id, exitCode)}
                />
              </TerminalPane>
            )}
            <Suspense>{group && <ShellPanes id={id} group={group} isShown={isShown} />}</Suspense>
          </div>
        </div>
        <Suspense>{desktop !== 'hidden' && desktop !== 'window' && <DesktopPane id={id} place={desktop} isShown={isShown} />}</Suspense>
      </div>
    </div>
  )
}
