import type { ReactNode } from 'react'
import type { ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { Button } from '../../ui/button.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'

/** What stands where a list would, when there is none to show. */
export function ListNote({ children, error, onRetry }: { children?: ReactNode; error?: ErrorReport; onRetry?: () => void }) {
  return (
    <div className={`list-note ${error ? '' : 'quiet'}`} role={error ? 'alert' : 'status'}>
      {error ? (
        <>
          <span className="note-line" title={error.message}>
            <StateGlyph kind="broken" /> Not known
          </span>
          <Button onClick={onRetry}>Try again</Button>
        </>
      ) : (
        children
      )}
    </div>
  )
}
