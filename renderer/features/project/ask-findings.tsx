import { TriangleAlert } from 'lucide-react'
import type { ProfileStatus } from '../../../shared/domain/profile.ts'
import type { Isolation } from '../../../shared/domain/sandbox.ts'
import { useActions } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Findings } from './findings.tsx'

/** A profile asks for dangerous power: the explicit yes that a launch needs. */
export function AskFindings({ folder, profile, isolation }: { folder: string; profile: ProfileStatus; isolation: Isolation }) {
  const { launch, stopAsking } = useActions()
  return (
    <section className="notice warn-notice" aria-labelledby="ask-findings">
      <Icon of={TriangleAlert} className="notice-icon" />
      <div className="notice-body">
        <h2 id="ask-findings">{profile.name} asks for more than a sandbox should have</h2>
        <p>An agent in it could use this against your machine. Launch it only if you wrote the profile or trust who did.</p>
        <Findings findings={profile.findings} />
        <div className="actions">
          <Button look="danger" data-primary onClick={() => void launch(folder, profile.name, { acceptFindings: true })}>
            {`Launch in ${isolation === 'microvm' ? 'microVM' : 'container'} anyway`}
          </Button>
          <Button autoFocus onClick={stopAsking}>
            Do not launch
          </Button>
        </div>
      </div>
    </section>
  )
}
