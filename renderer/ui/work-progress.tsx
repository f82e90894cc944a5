import { Check, LoaderCircle, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { durationInWords } from '../../shared/domain/words.ts'
import type { Work } from '../store/state.ts'
import { speakingIcon } from './icon.ts'

/** Long work: what it does, for how long, its steps and its live log. */
export function WorkProgress({ work, title }: { work: Work; title: string }) {
  const { steps, log, isRunning, startedAt } = work
  const last = steps.length - 1
  return (
    <>
      <div className="actions" role="status">
        <h2>{title}</h2>
        {isRunning && <Elapsed since={startedAt} />}
      </div>
      {steps.length > 0 && (
        <ul className="marked">
          {steps.map((step, index) => (
            <li key={`${index} ${step}`} aria-current={isRunning && index === last ? 'step' : undefined}>
              {index < last ? (
                <Check {...speakingIcon} aria-label="Done" className="good" />
              ) : isRunning ? (
                <LoaderCircle {...speakingIcon} aria-label="Under way" className="turning" />
              ) : (
                <X {...speakingIcon} aria-label="Failed" className="bad-text" />
              )}
              <span>{step}</span>
            </li>
          ))}
        </ul>
      )}
      {log.length > 0 && <Log lines={log} />}
    </>
  )
}

/** Hidden from screen readers, which would read every second. */
function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className="quiet" aria-hidden>
      {durationInWords(now - since)}
    </span>
  )
}

const nearEndPx = 24

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
      role="region"
      aria-label="Build log"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isFollowing.current = scrollHeight - scrollTop - clientHeight < nearEndPx
      }}
    >
      {lines.join('\n')}
    </pre>
  )
}
