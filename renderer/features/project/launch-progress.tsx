import { Check, LoaderCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Isolation } from '../../../shared/domain/sandbox.ts'
import { durationInWords } from '../../../shared/domain/words.ts'
import type { Launch } from '../../store/store.ts'
import { useActions } from '../../store/context.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'

interface LaunchProgressProps {
  launch: Launch
  onRetry: (isolation: Isolation | undefined, acceptFindings: boolean) => void
}

/** A launch under way or failed: its steps, the live log, how long it takes, and a way out. */
export function LaunchProgress({ launch, onRetry }: LaunchProgressProps) {
  const actions = useActions()
  const { project, steps, log, isRunning, error, startedAt } = launch
  return (
    <section aria-label="Launch" style={{ display: 'grid', gap: 12 }}>
      <div className="actions">
        <h2>{isRunning ? 'Getting the sandbox ready' : 'The launch failed'}</h2>
        {isRunning && <Elapsed since={startedAt} />}
      </div>
      <ul className="steps">
        {steps.map((step, index) => {
          const isCurrent = isRunning && index === steps.length - 1
          return (
            <li key={`${index} ${step}`}>
              {isCurrent ? <LoaderCircle size={16} strokeWidth={1.5} aria-label="Under way" /> : <Check size={16} strokeWidth={1.5} aria-label="Done" className="good" />}
              {step}
            </li>
          )
        })}
      </ul>
      {log.length > 0 && <Log lines={log} />}
      {error && (
        <ErrorNotice error={error}>
          <button className="button primary" onClick={() => onRetry(undefined, false)}>
            Try again
          </button>
          <button className="button" onClick={() => actions.dismissLaunch(project)}>
            Back
          </button>
        </ErrorNotice>
      )}
      {isRunning && (
        <div className="actions">
          <button className="button" onClick={() => actions.cancelLaunch(project)}>
            Cancel
          </button>
        </div>
      )}
    </section>
  )
}

function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <span className="quiet">{durationInWords(now - since)}</span>
}

/** Follows the end of the log until the person scrolls up. */
function Log({ lines }: { lines: readonly string[] }) {
  const box = useRef<HTMLPreElement>(null)
  const isFollowing = useRef(true)
  useEffect(() => {
    if (box.current && isFollowing.current) box.current.scrollTop = box.current.scrollHeight
  }, [lines])
  return (
    <pre
      className="log"
      ref={box}
      tabIndex={0}
      aria-label="Build log"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isFollowing.current = scrollHeight - scrollTop - clientHeight < 24
      }}
    >
      {lines.join('\n')}
    </pre>
  )
}
