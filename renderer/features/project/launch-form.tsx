import { Play } from 'lucide-react'
import { another, chooseLaunch } from '../../../shared/domain/launch-choice.ts'
import type { Isolation } from '../../../shared/domain/sandbox.ts'
import { launchNameOf, triedProfile } from '../../../shared/domain/try-folder.ts'
import { capsInWords } from '../../../shared/domain/words.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { AskFindings } from './ask-findings.tsx'
import { AskIsolation } from './ask-isolation.tsx'
import { Findings } from './findings.tsx'
import { ProfilePicker } from './profile-picker.tsx'

const isolationWords: Record<Isolation, string> = { microvm: 'microVM, with a kernel of its own', container: 'Container, which shares the kernel of this machine' }

/** Which profile, what it gives, and the button. */
export function LaunchForm({ folder, exists }: { folder: string; exists: boolean }) {
  const profiles = useApp((state) => state.profiles)
  const error = useApp((state) => state.profilesError)
  const settings = useApp((state) => state.settings)
  const obstacle = useApp((state) => state.obstacle)
  const name = useApp((state) => state.profileFor(folder))
  const isAsking = useApp((state) => state.asking === folder)
  const isRunning = useApp(({ sandboxes }) => (sandboxes ?? []).some((one) => one.project !== null && launchNameOf(one.project) === folder && one.state === 'running'))
  const { requestLaunch, loadProfiles } = useActions()

  if (profiles === null) {
    return error === null ? (
      <p className="quiet" role="status">
        Looking at the profiles…
      </p>
    ) : (
      <ErrorNotice what="The profiles could not be read." error={error}>
        <Button look="primary" data-primary onClick={() => void loadProfiles()}>
          Try again
        </Button>
      </ErrorNotice>
    )
  }
  const profile = profiles.find((one) => one.name === name)
  const choice = chooseLaunch(profile, settings, obstacle)
  const isolation = choice.kind === 'launch' || choice.kind === 'ask-findings' ? choice.isolation : null
  const caps = profile ? capsInWords(profile.caps) : ''
  return (
    <>
      <dl className="facts">
        <dt>Profile</dt>
        <dd>
          {triedProfile(folder) === null ? <ProfilePicker folder={folder} selected={name} /> : name}
        </dd>
        {profile && profile.reasons.length > 0 && profile.error === null && (
          <>
            <dt>Image</dt>
            <dd className="selectable">
              {profile.reasons.map((reason) => (
                <p key={reason}>{reason}</p>
              ))}
            </dd>
          </>
        )}
        {caps && (
          <>
            <dt>Limits</dt>
            <dd className="selectable">{caps}</dd>
          </>
        )}
        {choice.kind === 'ask-isolation' && !isAsking && (
          <>
            <dt>Isolation</dt>
            <dd className="warn selectable">
              <span className="note-line">
                <StateGlyph kind="warning" /> No microVM: {choice.why}
              </span>
            </dd>
          </>
        )}
        {isolation && (
          <>
            <dt>Isolation</dt>
            <dd className="selectable">{isolationWords[isolation]}</dd>
          </>
        )}
      </dl>
      {profile && !isAsking && <Findings findings={profile.findings} />}
      {isAsking && choice.kind === 'ask-isolation' && <AskIsolation folder={folder} profile={name} why={choice.why} fix={choice.fix} />}
      {isAsking && choice.kind === 'ask-findings' && profile && <AskFindings folder={folder} profile={profile} isolation={choice.isolation} />}
      {!(isAsking && choice.kind.startsWith('ask-')) && (
        <div className="launch-action">
          {!exists && <p className="warn">The folder is not there any more.</p>}
          {choice.kind === 'impossible' && <p className="warn selectable">{choice.why}</p>}
          <Button
            look="primary"
            icon={Play}
            data-primary
            data-region-focus
            disabled={choice.kind === 'impossible' || !exists}
            onClick={() => void requestLaunch(folder)}
          >
            {isRunning ? another(choice.label) : choice.label}
          </Button>
        </div>
      )}
    </>
  )
}
