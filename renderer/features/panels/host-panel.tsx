import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import type { Check } from '../../../shared/domain/check.ts'
import type { ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { useApi } from '../../store/context.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { speakingIcon } from '../../ui/icon.ts'

/** What launching needs on this machine, a line each, with its fix. */
export function HostPanel() {
  const api = useApi()
  const [checks, setChecks] = useState<Check[] | null>(null)
  const [error, setError] = useState<ErrorReport | null>(null)
  const [isLooking, setLooking] = useState(true)
  const look = useCallback(async () => {
    setLooking(true)
    const reply = await api.call('doctor.check', {})
    setLooking(false)
    setError(reply.ok ? null : reply.error)
    if (reply.ok) setChecks(reply.value)
  }, [api])
  useEffect(() => void look(), [look])
  return (
    <>
      <p className="quiet" role="status">
        {isLooking ? 'Looking at this machine…' : checks && summary(checks)}
      </p>
      {error && <ErrorNotice error={error} />}
      {checks && (
        <ul>
          {checks.map((check) => (
            <li key={check.name} className="check">
              <Mark status={check.status} />
              <strong>{check.name}</strong>
              <span className="quiet">{check.found}</span>
              {check.fix && (
                <span className="fix">
                  <span>{check.fix}</span>
                  <CopyButton label={`Copy what to do about ${check.name}`} copy={() => navigator.clipboard.writeText(check.fix!)} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="actions">
        <button className="button" disabled={isLooking} onClick={() => void look()}>
          Check again
        </button>
      </div>
    </>
  )
}

function summary(checks: readonly Check[]): string {
  if (checks.some(({ status }) => status === 'fail')) return 'Launching cannot work yet.'
  return checks.some(({ status }) => status === 'warn') ? 'Launching works, with what is named below.' : 'All that launching needs is here.'
}

const marks = {
  ok: { Glyph: CircleCheck, colour: 'good', word: 'ok' },
  warn: { Glyph: TriangleAlert, colour: 'amber', word: 'warning' },
  fail: { Glyph: CircleAlert, colour: 'bad-text', word: 'failed' },
} as const

function Mark({ status }: { status: Check['status'] }) {
  const { Glyph, colour, word } = marks[status]
  return <Glyph {...speakingIcon} className={colour} aria-label={word} />
}
