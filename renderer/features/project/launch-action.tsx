import type { LaunchChoice } from '../../../shared/domain/launch-choice.ts'
import type { ProfileStatus } from '../../../shared/domain/profile.ts'
import type { LaunchChoices } from '../../store/state.ts'
import { FindingList } from '../../ui/finding-list.tsx'

interface LaunchActionProps {
  choice: LaunchChoice
  findings: ProfileStatus['findings']
  onStart: (choices: LaunchChoices) => void
  /** The person wants containers from now on. */
  onForGood: () => void
}

/** The one button of a project, or what a person must decide before it. */
export function LaunchAction({ choice, findings, onStart, onForGood }: LaunchActionProps) {
  if (choice.kind === 'impossible') return <p className="quiet">{choice.why}</p>
  if (choice.kind === 'launch') {
    return (
      <div className="actions">
        <button className="button primary" data-primary onClick={() => onStart({ acceptFindings: false })}>
          {choice.label}
        </button>
        {choice.isolation === 'container' && <span className="amber">Shares this machine’s kernel</span>}
      </div>
    )
  }
  if (choice.kind === 'ask-isolation') {
    return (
      <section className="notice" aria-label="Isolation">
        <h2>This machine cannot run a microVM</h2>
        <p>
          What is missing: {choice.why}. {choice.fix}
        </p>
        <p>A container is hardened too, but it shares this machine’s kernel: a hole in the kernel is a way out.</p>
        <div className="actions">
          <button className="button primary" data-primary onClick={() => onStart({ isolation: 'container', acceptFindings: false })}>
            Launch in container once
          </button>
          <button
            className="button"
            onClick={() => {
              onForGood()
              onStart({ isolation: 'container', acceptFindings: false })
            }}
          >
            Always use containers
          </button>
        </div>
      </section>
    )
  }
  return (
    <section className="notice" aria-label="Findings">
      <h2>This profile asks for more power than a sandbox should have</h2>
      <FindingList findings={findings} />
      <div className="actions">
        <button className="button" data-primary onClick={() => onStart({ acceptFindings: true })}>
          Launch all the same
        </button>
      </div>
    </section>
  )
}
