import { RotateCw } from 'lucide-react'
import { endInWords } from '../../../shared/domain/terminal-end.ts'
import type { OpenSandbox } from '../../store/sandboxes-slice.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'

/** How the terminal came to its end, and what now; the last words stay readable below. */
export function EndedBar({ open, isStillRunning }: { open: OpenSandbox; isStillRunning: boolean }) {
  const { attachAgain, restartSandbox, closeTab } = useActions()
  const { id, exitCode, project } = open
  const isConnected = useApp((state) => state.isConnected)
  // Whatever its client said: what Podman still lists as running is attached to, and never stopped from here.
  const canAttach = isStillRunning
  return (
    <div className="bar" role="status">
      <StateGlyph kind={exitCode === 0 ? 'ended' : exitCode === null ? 'warning' : 'broken'} />
      <span className="grow ellipsis">{endInWords(exitCode ?? null, isStillRunning, isConnected)}</span>
      {canAttach && (
        <Button look="primary" data-primary disabled={!isConnected} onClick={() => void attachAgain(id)}>
          Attach again
        </Button>
      )}
      {!canAttach && project !== null && (
        <Button look="primary" data-primary icon={RotateCw} onClick={() => void restartSandbox(id)}>
          Launch again
        </Button>
      )}
      {!canAttach && <Button onClick={() => closeTab(id)}>Close</Button>}
    </div>
  )
}
