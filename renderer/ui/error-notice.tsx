import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import { Icon } from './icon.tsx'

export interface ErrorNoticeProps {
  /** One sentence of what happened. */
  what: string
  error: ErrorReport
  /** The one action. */
  children?: ReactNode
  className?: string
}

/** A failure: what, why, what to do; the command and its last words fold out. */
export function ErrorNotice({ what, error, children, className = '' }: ErrorNoticeProps) {
  const { message, hint, command, exitCode, stderrTail } = error
  const hasDetails = command !== undefined || stderrTail !== undefined
  return (
    <div className={`notice bad ${className}`} role="alert">
      <Icon of={CircleAlert} className="notice-icon" />
      <div className="notice-body">
        <p className="strong">{what}</p>
        <p>{message}</p>
        {hint && <p className="quiet">{hint}</p>}
        {hasDetails && (
          <details>
            <summary>Details</summary>
            <pre tabIndex={0}>
              {command && `$ ${command.join(' ')}\n`}
              {exitCode !== undefined && `exit code ${exitCode}\n`}
              {stderrTail}
            </pre>
          </details>
        )}
        {children && <div className="actions">{children}</div>}
      </div>
    </div>
  )
}
