import type { Launch, LaunchChoices } from '../../store/state.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { FindingList } from '../../ui/finding-list.tsx'
import { WorkProgress } from '../../ui/work-progress.tsx'

/** A launch under way or failed, and the ways on from there. */
export function LaunchProgress({ launch }: { launch: Launch }) {
  const actions = useActions()
  const profile = useApp((state) => state.profiles?.find(({ name }) => name === launch.profile))
  const { project, isRunning, error, choices } = launch
  const retry = (change: Partial<LaunchChoices> = {}) => void actions.launch(project, launch.profile, { ...choices, ...change })
  const offersFindings = error?.code === 'findings-not-accepted'
  return (
    <section aria-label="Launch" className="stack">
      <WorkProgress work={launch} title={isRunning ? 'Getting the sandbox ready' : 'The launch failed'} />
      {error && (
        <ErrorNotice error={error}>
          {offersFindings && profile && <FindingList findings={profile.findings} />}
          {offersFindings ? (
            <button className="button" onClick={() => retry({ acceptFindings: true })}>
              Launch all the same
            </button>
          ) : (
            <button className="button primary" data-primary onClick={() => retry()}>
              Try again
            </button>
          )}
          {error.code === 'isolation-unavailable' && choices.isolation !== 'container' && (
            <button className="button" onClick={() => retry({ isolation: 'container' })}>
              Launch in container once
            </button>
          )}
          <button className="button" onClick={() => actions.dismissLaunch(project)}>
            Back
          </button>
        </ErrorNotice>
      )}
      {isRunning && (
        <div className="actions">
          <button className="button" onClick={() => actions.cancelLaunch(project)}>
            Cancel
          </button>
        </div>
      )}
    </section>
  )
}
