import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { launchNameOf } from '../../../shared/domain/try-folder.ts'
import { useActions } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeLine } from '../../ui/code-line.tsx'

/** How a sandbox gets a desktop whose profile wants none. */
export function NoDesktop({ sandbox: { id, profile, project } }: { sandbox: Sandbox }) {
  const { requestLaunch, placeDesktop } = useActions()
  return (
    <div className="no-desktop">
      <p className="strong">This sandbox has no desktop</p>
      <p className="quiet">
        Its profile {profile} does not switch one on. The profile desktop has XFCE, Chromium, a terminal, an editor and a paint program; a profile of your own that is built on it inherits all that.
      </p>
      <CodeLine text={`paddock profile set ${profile} base=localhost/paddock:desktop desktop=on`} label="Copy the command" />
      <div className="actions">
        {project !== null && <Button onClick={() => void requestLaunch(launchNameOf(project), 'desktop')}>Launch with desktop</Button>}
        <Button look="quiet" onClick={() => placeDesktop(id, 'hidden')}>
          Close
        </Button>
      </div>
    </div>
  )
}
