import { Info, X } from 'lucide-react'
import { useActions, useApp } from '../../store/context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { PathText } from '../../ui/path-text.tsx'
import './profiles.css'

/** What came of an import, a rename, an export or a deletion; it stays until it is read. */
export function ProfileOutcome({ name }: { name: string }) {
  const outcome = useApp(({ outcomes }) => outcomes[name])
  const { dismissOutcome } = useActions()
  if (!outcome) return null
  return (
    <section className="notice outcome" role="status" aria-label={outcome.what}>
      <Icon of={Info} className="notice-icon" />
      <div className="notice-body">
        <p className="strong">{outcome.what}</p>
        {outcome.path && (
          <p className="mono">
            <PathText path={outcome.path} />
          </p>
        )}
        {outcome.notes.length > 0 && (
          <ul className="outcome-notes">
            {outcome.notes.map((note, at) => (
              <li key={at}>{note}</li>
            ))}
          </ul>
        )}
      </div>
      <IconButton icon={X} label="Dismiss" onClick={() => dismissOutcome(name)} />
    </section>
  )
}
