import { type FormEvent, useId, useState } from 'react'
import { parseHostRule } from '../../../shared/domain/egress-host.ts'
import { Button } from '../../ui/button.tsx'
import type { AllowFor } from './use-policy.ts'

/** Lets a host through that was not asked for yet. */
export function AllowForm({ profile, onAllow }: { profile: string; onAllow: (rule: string, scope: AllowFor) => Promise<boolean> }) {
  const id = useId()
  const [text, setText] = useState('')
  const [scope, setScope] = useState<AllowFor>('sandbox')
  const [isTried, setTried] = useState(false)
  const rule = text.trim()
  const parsed = parseHostRule(rule)
  const why = isTried && rule !== '' && typeof parsed === 'string' ? parsed : null
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (typeof parsed === 'string' || !(await onAllow(rule, scope))) return
    setText('')
    setTried(false)
  }
  return (
    <form className="egress-form" onSubmit={(event) => void submit(event)}>
      <div className="egress-tools">
        <input className="input mono" aria-label="Host to allow" placeholder="example.org or *.example.org" spellCheck={false} value={text} aria-invalid={why !== null} aria-describedby={why === null ? undefined : id} onChange={({ target }) => setText(target.value)} />
        <select className="input egress-scope" aria-label="For" value={scope} onChange={({ target }) => setScope(target.value as AllowFor)}>
          <option value="sandbox">This sandbox</option>
          <option value="profile">Always for {profile}</option>
        </select>
        <Button type="submit" disabled={rule === ''}>
          Allow
        </Button>
      </div>
      {why !== null && (
        <p id={id} className="bad-text" role="alert">
          This is no rule: {why}.
        </p>
      )}
    </form>
  )
}
