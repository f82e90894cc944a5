import type { ReactNode } from 'react'
import { durationInWords } from '../../shared/domain/words.ts'
import type { Work } from '../store/work.ts'
import { LogView } from './log-view.tsx'
import { type Glyph, StateGlyph } from './state-glyph.tsx'
import { useNow } from './use-now.ts'
import './work-view.css'

export interface WorkViewProps {
  work: Work
  title: string
  actions: ReactNode
  /** Stands between the steps and the log, e.g. a failure. */
  children?: ReactNode
}

/** A build: its steps, its log, how long it takes, and what can be done about it. */
export function WorkView({ work, title, actions, children }: WorkViewProps) {
  const isBusy = work.endedAt === null
  const now = useNow(1_000, isBusy)
  const elapsed = durationInWords((work.endedAt ?? now) - work.startedAt)
  return (
    <section className="work" aria-label={title}>
      <header className="work-head">
        <div className="grow work-title">
          <h2>{title}</h2>
          <span className="quiet" role="timer">
            {elapsed}
          </span>
        </div>
        <div className="actions">{actions}</div>
      </header>
      <ol className="steps" aria-label="Steps" tabIndex={0}>
        {work.steps.length === 0 && isBusy && (
          <li>
            <StateGlyph kind="working" />
            <span>Getting ready</span>
          </li>
        )}
        {work.steps.map((text, at) => {
          const kind = at < work.steps.length - 1 ? 'fresh' : lastGlyph[work.status]
          return (
            <li key={at} aria-current={kind === 'working' ? 'step' : undefined}>
              <StateGlyph kind={kind} />
              <span className="ellipsis" title={text}>
                {text}
              </span>
              <span className="sr-only">, {stepWords[kind]}</span>
            </li>
          )
        })}
      </ol>
      {work.warnings.map((text, at) => (
        <p key={at} className="work-warning">
          <StateGlyph kind="warning" />
          <span className="selectable">{text}</span>
        </p>
      ))}
      {children}
      <LogView lines={work.log} droppedLines={work.droppedLines} isBusy={isBusy} />
    </section>
  )
}

const lastGlyph: Record<Work['status'], Glyph> = { running: 'working', cancelling: 'working', failed: 'broken', cancelled: 'ended', done: 'fresh' }
const stepWords: Partial<Record<Glyph, string>> = { fresh: 'done', working: 'under way', broken: 'failed', ended: 'cancelled' }
