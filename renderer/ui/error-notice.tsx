import type { ReactNode } from 'react'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'

/** An error as a person reads it: what, what to do, and behind a fold the command and what it said. */
export function ErrorNotice({ error, children, className = '' }: { error: ErrorReport; children?: ReactNode; className?: string }) {
  return (
    <div className={`notice bad ${className}`} role="alert">
      <p>{error.message}</p>
      {error.hint && <p className="quiet">{error.hint}</p>}
      {(error.command ?? error.stderrTail) && (
        <details>
          <summary>Details</summary>
          <pre className="log">{[error.command?.join(' '), error.stderrTail].filter(Boolean).join('\n\n')}</pre>
        </details>
      )}
      {children && <div className="actions">{children}</div>}
    </div>
  )
}
