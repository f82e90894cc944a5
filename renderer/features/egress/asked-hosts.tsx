import { useApp, useActions } from '../../store/context.tsx'
import { plain } from '../../../shared/domain/plain-text.ts'
import { inOrderOfAsking, ruleFor } from '../../../shared/domain/egress-prompt.ts'
import { Button } from '../../ui/button.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { AllowMenu } from './allow-menu.tsx'

/** Hosts that were blocked lately, for the person to decide about each. */
export function AskedHosts({ id, profile }: { id: string; profile: string }) {
  const prompt = useApp(({ prompts }) => prompts.find(({ sandboxId }) => sandboxId === id))
  const { decideEgress } = useActions()
  if (!prompt) return null
  return (
    <section className="panel-section egress-asked" aria-label="Blocked, and not decided">
      <div className="egress-head">
        <h3 className="grow">Blocked, and not decided</h3>
        {prompt.hosts.length > 1 && (
          <Button look="quiet" onClick={() => void decideEgress(id, prompt.hosts, 'no')}>
            No to all
          </Button>
        )}
      </div>
      <ul className="egress-asked-list">
        {inOrderOfAsking(prompt.hosts).map((asked) => {
          const name = plain(ruleFor(asked))
          return (
            <li key={name} className="egress-row">
              <StateGlyph kind="warning" />
              <span className="mono grow ellipsis" title={asked.agent === null ? name : `${name}, asked for by ${plain(asked.agent)}`}>
                {name}
              </span>
              <span className="quiet egress-figure">{asked.count === 1 ? 'once' : `${asked.count} times`}</span>
              <AllowMenu name={name} profile={profile} onAnswer={(answer) => void decideEgress(id, [asked], answer)} />
              <Button aria-label={`No, keep ${name} blocked`} onClick={() => void decideEgress(id, [asked], 'no')}>
                No
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
