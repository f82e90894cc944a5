import { CircleAlert, CircleCheck, Copy, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Check } from '../../../shared/domain/check.ts'
import type { ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { useApi } from '../../store/context.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'

const icon = { size: 16, strokeWidth: 1.5 } as const

/** What launching needs on this machine, a line each, with its fix. */
export function HostPanel() {
  const api = useApi()
  const [checks, setChecks] = useState<Check[] | null>(null)
  const [error, setError] = useState<ErrorReport | null>(null)
  useEffect(() => {
    void api.call('doctor.check', {}).then((reply) => (reply.ok ? setChecks(reply.value) : setError(reply.error)))
  }, [api])
  if (error) return <ErrorNotice error={error} />
  if (checks === null) return <p className="quiet">Looking at this machine…</p>
  return (
    <div>
      {checks.map((check) => (
        <div key={check.name} className="check">
          <Mark status={check.status} />
          <strong>{check.name}</strong>
          <span className="quiet">{check.found}</span>
          {check.fix && (
            <span className="actions">
              <span>{check.fix}</span>
              <button className="icon-button" aria-label={`Copy what to do about ${check.name}`} onClick={() => void navigator.clipboard.writeText(check.fix!)}>
                <Copy {...icon} aria-hidden />
              </button>
            </span>
          )}
        </div>
      ))}
    </div>
  )
}

function Mark({ status }: { status: Check['status'] }) {
  if (status === 'ok') return <CircleCheck {...icon} className="good" role="img" aria-label="ok" />
  return status === 'warn' ? <TriangleAlert {...icon} className="amber" role="img" aria-label="warning" /> : <CircleAlert {...icon} className="bad-text" role="img" aria-label="failed" />
}
