import { useEffect, useRef } from 'react'
import { nameOf } from '../../../shared/domain/sandbox-tabs.ts'
import { noShellInWords } from '../../../shared/domain/shell-words.ts'
import { launchNameOf } from '../../../shared/domain/try-folder.ts'
import { useActions, useApp } from '../../store/context.tsx'
import type { Shell } from '../../store/shells-slice.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'

/** What stands where a shell would be: that it is on its way, or why there is none and what to do. */
export function ShellNote({ id, shell: { pane, error }, isActive, onClose }: { id: string; shell: Shell; isActive: boolean; onClose: () => void }) {
  const sandbox = useApp(({ sandboxes }) => sandboxes?.find((one) => one.id === id))
  const { renewShell, requestLaunch } = useActions()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Keys that are typed ahead must not reach the terminal beside it.
    if (isActive) place.current?.focus()
  }, [isActive, error])
  const why = error && noShellInWords(error, sandbox?.channelProblem ?? null)
  const project = sandbox?.project ?? null
  return (
    <div ref={place} className="shell-note" tabIndex={-1} role="status">
      {error === null && (
        <p className="note-line quiet">
          <StateGlyph kind="working" /> Connecting…
        </p>
      )}
      {why && (
        <div className="shell-reason">
          <p className="strong">No further shell can be opened here</p>
          <p className="quiet">{why} Launch the project from Paddock for a sandbox that takes more than one terminal.</p>
          <div className="actions">
            {project !== null && <Button onClick={() => void requestLaunch(launchNameOf(project))}>Launch {nameOf(project, id)}</Button>}
            <Button onClick={onClose}>Close</Button>
          </div>
        </div>
      )}
      {error && !why && (
        <ErrorNotice what="The shell could not be opened." error={error}>
          <Button onClick={() => void renewShell(id, pane)}>Try again</Button>
          <Button onClick={onClose}>Close</Button>
        </ErrorNotice>
      )}
    </div>
  )
}
