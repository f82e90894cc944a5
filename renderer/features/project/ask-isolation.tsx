import { TriangleAlert } from 'lucide-react'
import { chooseLaunch } from '../../../shared/domain/launch-choice.ts'
import { useActions, useApp, useAppStore } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

export interface AskIsolationProps {
  folder: string
  profile: string
  why: string
  fix: string
}

/** This host cannot run microVMs: says what is missing and offers a container, for now or for good. */
export function AskIsolation({ folder, profile, why, fix }: AskIsolationProps) {
  const store = useAppStore()
  const { launch, changeSettings, openPanel } = useActions()
  // A dangerous profile still needs its own yes after this one.
  const hasFindings = useApp(({ profiles, settings }) => {
    const found = profiles?.find(({ name }) => name === profile)
    return chooseLaunch(found, { ...settings, isolation: 'container' }, null).kind === 'ask-findings'
  })
  const forGood = async () => {
    if (await changeSettings({ isolation: 'container' })) await store.getState().requestLaunch(folder)
  }
  return (
    <section className="notice warn-notice" aria-labelledby="ask-isolation">
      <Icon of={TriangleAlert} className="notice-icon" />
      <div className="notice-body">
        <h2 id="ask-isolation">MicroVMs cannot run here</h2>
        <p>
          {`A launch should get a kernel of its own, but ${why}.`} {fix} A container works now; it holds an agent less firmly, because it shares the
          kernel of this machine.
        </p>
        <div className="actions">
          {hasFindings ? (
            <Button look="primary" data-primary autoFocus onClick={() => void forGood()}>
              Use containers from now on…
            </Button>
          ) : (
            <>
              <Button look="primary" data-primary autoFocus onClick={() => void launch(folder, profile, { isolation: 'container' })}>
                Launch in container this time
              </Button>
              <Button onClick={() => void forGood()}>Always use containers</Button>
            </>
          )}
          <Button look="quiet" onClick={() => openPanel({ kind: 'host' })}>
            Examine the host
          </Button>
        </div>
      </div>
    </section>
  )
}
