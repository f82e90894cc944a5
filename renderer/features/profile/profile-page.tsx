import type { Caps } from '../../../shared/domain/caps.ts'
import type { ProfileStatus } from '../../../shared/domain/profile.ts'
import { capsInWords, profileStateInWords } from '../../../shared/domain/words.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { FindingList } from '../../ui/finding-list.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { WorkProgress } from '../../ui/work-progress.tsx'

/** A profile: its state and why, its limits, what it asks for, and its build. */
export function ProfilePage({ name }: { name: string }) {
  const profiles = useApp((state) => state.profiles)
  const profile = profiles?.find((candidate) => candidate.name === name)
  if (!profile) {
    return (
      <div className="page">
        <div className="page-inner">
          <h1>{name}</h1>
          <p className="quiet">{profiles === null ? 'Looking at the profiles…' : 'The profile does not exist any more.'}</p>
        </div>
      </div>
    )
  }
  return (
    <div className="page">
      <div className="page-inner">
        <header>
          <h1>{name}</h1>
          <p className="quiet mono path">{profile.image}</p>
        </header>
        <State profile={profile} />
        <dl className="facts">
          <Fact name="Origin">{profile.source === 'user' ? 'Your own' : 'Comes with Paddock'}</Fact>
          {profile.runnable && limits.map(([title, only]) => <Fact key={title} name={title}>{capsInWords(only(profile.caps)) || 'No limit of its own'}</Fact>)}
          {!profile.runnable && profile.error === null && <Fact name="Use">Other profiles build on it; it is not launched itself.</Fact>}
        </dl>
        {profile.findings.length > 0 && (
          <section className="stack" aria-label="Findings">
            <h2>What its run label asks for</h2>
            <FindingList findings={profile.findings} />
          </section>
        )}
        <Build profile={profile} />
      </div>
    </div>
  )
}

const none: Caps = { ramMib: null, cpus: null, tmpSize: null, pids: null }
const limits: [string, (caps: Caps) => Caps][] = [
  ['Memory', ({ ramMib }) => ({ ...none, ramMib })],
  ['CPUs', ({ cpus }) => ({ ...none, cpus })],
  ['Scratch space', ({ tmpSize }) => ({ ...none, tmpSize })],
  ['Processes', ({ pids }) => ({ ...none, pids })],
]

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div className="field">
      <dt className="quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function State({ profile }: { profile: ProfileStatus }) {
  return (
    <div className="stack-small">
      <p className="glyph-line">
        <StateGlyph profile={profile} />
        <strong aria-hidden>{profileStateInWords(profile)}</strong>
      </p>
      {profile.error !== null && <p className="bad-text">{profile.error}</p>}
      {profile.error === null && profile.reasons.map((reason) => <p key={reason}>{reason}</p>)}
    </div>
  )
}

function Build({ profile: { name, state, error } }: { profile: ProfileStatus }) {
  const build = useApp((store) => store.builds[name])
  const actions = useActions()
  if (build) {
    return (
      <section className="stack" aria-label="Build">
        <WorkProgress work={build} title={build.isRunning ? 'Building the image' : 'The build failed'} />
        {build.error && (
          <ErrorNotice error={build.error}>
            <button className="button primary" data-primary onClick={() => void actions.build(name)}>
              Try again
            </button>
            <button className="button" onClick={() => actions.dismissBuild(name)}>
              Back
            </button>
          </ErrorNotice>
        )}
        {build.isRunning && (
          <div className="actions">
            <button className="button" onClick={() => actions.cancelBuild(name)}>
              Cancel
            </button>
          </div>
        )}
      </section>
    )
  }
  if (error !== null) return <p className="quiet">It can be built when its definition is mended.</p>
  return (
    <div className="actions">
      <button className={`button ${state === 'fresh' ? '' : 'primary'}`} data-primary={state === 'fresh' ? undefined : true} onClick={() => void actions.build(name)}>
        {state === 'missing' ? 'Build' : state === 'stale' ? 'Rebuild' : 'Rebuild from nothing'}
      </button>
      {state === 'fresh' && <span className="quiet">Takes every layer anew.</span>}
    </div>
  )
}
