import DesktopPane from '../features/desktop/desktop-pane.tsx'
import { useApp } from '../store/context.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { Announcer } from './announcer.tsx'
import { ProblemNotice } from './problem-notice.tsx'
import './shell.css'
import './desktop-window.css'

/** All of the page in a desktop's own window. */
export function DesktopWindow({ id, load }: { id: string; load: () => Promise<void> }) {
  return (
    <TooltipProvider delayDuration={400} skipDelayDuration={200}>
      <main className="desktop-window">
        <h1 className="sr-only">Desktop of a sandbox</h1>
        <ProblemNotice />
        <ShownDesktop id={id} load={load} />
        <Announcer />
      </main>
    </TooltipProvider>
  )
}

function ShownDesktop({ id, load }: { id: string; load: () => Promise<void> }) {
  const isKnown = useApp(({ sandboxes }) => sandboxes !== null)
  const error = useApp(({ sandboxesError }) => sandboxesError)
  const isThere = useApp(({ sandboxes }) => sandboxes?.some((one) => one.id === id) ?? false)
  if (error !== null)
    return (
      <ErrorNotice what="The desktop is not shown." error={error} className="problem">
        <Button onClick={() => void load()}>Try again</Button>
      </ErrorNotice>
    )
  if (!isKnown) return null
  return isThere ? <DesktopPane id={id} place="window" isShown /> : <EndedDesktop />
}

function EndedDesktop() {
  return (
    <div className="ended-desktop" role="status">
      <p className="strong">The sandbox has ended</p>
      <p className="quiet">Its desktop ended with it.</p>
      <div className="actions">
        <Button autoFocus onClick={() => window.close()}>
          Close this window
        </Button>
      </div>
    </div>
  )
}
