import { ruleFor } from '../../../shared/domain/egress-prompt.ts'
import { plain } from '../../../shared/domain/plain-text.ts'
import { useActions, useApp, useAppStore } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { screenInSight } from '../terminal/screens.ts'
import './egress.css'

/** Asks about blocked hosts, above the terminal and without taking its keys. Of several, each is decided by itself in the panel. */
export function PromptBar({ id }: { id: string }) {
  const prompt = useApp(({ prompts }) => prompts.find(({ sandboxId }) => sandboxId === id))
  const isReviewed = useApp(({ panel }) => panel?.kind === 'egress' && panel.id === id)
  const { decideEgress, openPanel } = useActions()
  const store = useAppStore()
  const [first, ...others] = prompt?.hosts ?? []
  if (!prompt || !first || isReviewed) return null
  const name = plain(ruleFor(first))
  const answer = (how: 'once' | 'sandbox' | 'profile' | 'no') => {
    void decideEgress(id, prompt.hosts, how)
    screenInSight(store.getState(), id)?.focus()
  }
  return (
    <div className="bar egress-prompt" role="status" aria-label="Blocked hosts">
      <span className="mono ellipsis" title={name}>
        {name}
      </span>
      <span className="grow ellipsis">
        {others.length === 0 ? 'was blocked. Allow it?' : others.length === 1 ? 'and one more host were blocked.' : `and ${others.length} more hosts were blocked.`}
      </span>
      {others.length === 0 ? (
        <>
          <Button title="For five minutes" onClick={() => answer('once')}>
            Once
          </Button>
          <Button onClick={() => answer('sandbox')}>This sandbox</Button>
          <Button title={`For every sandbox of ${prompt.profile}`} onClick={() => answer('profile')}>
            Always for {prompt.profile}
          </Button>
          <Button onClick={() => answer('no')}>No</Button>
        </>
      ) : (
        <>
          <Button onClick={() => openPanel({ kind: 'egress', id })}>Decide…</Button>
          <Button onClick={() => answer('no')}>No to all</Button>
        </>
      )}
    </div>
  )
}
