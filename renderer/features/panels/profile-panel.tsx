import { ArrowUpCircle, Hammer, Pencil, Play, RotateCw } from 'lucide-react'
import type { BaseImage, ProfileStatus } from '../../../shared/domain/profile.ts'
import { describeProfile, purposeOf } from '../../../shared/domain/profile-words.ts'
import { ageInDays, daysInWords } from '../../../shared/domain/upgrade.ts'
import { capsInWords } from '../../../shared/domain/words.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { PathText } from '../../ui/path-text.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { WorkView } from '../../ui/work-view.tsx'
import { ProfileMenu } from '../profiles/profile-menu.tsx'
import { ProfileOutcome } from '../profiles/profile-outcome.tsx'
import { ProfileTaskForm } from '../profiles/profile-task.tsx'
import { UpgradeView } from '../profiles/upgrade-view.tsx'
import { FindingList } from '../project/findings.tsx'
import { Panel, PanelSection } from './panel.tsx'
import '../project/project.css'

/** A profile: how it stands and why, what it gives, what is odd about it. */
export default function ProfilePanel({ name }: { name: string }) {
  const profile = useApp(({ profiles }) => profiles?.find((one) => one.name === name))
  const work = useApp(({ builds }) => builds[name])
  const upgrade = useApp(({ upgrades }) => upgrades[name])
  const hasOutcome = useApp(({ outcomes }) => outcomes[name] !== undefined)
  return (
    <Panel title={name} actions={profile && <ProfileMenu profile={profile} />}>
      <ProfileTaskForm name={name} />
      <ProfileOutcome name={name} />
      {!profile && !hasOutcome && <p className="quiet">There is no profile of this name any more.</p>}
      {profile && work && <ProfileBuild name={name} />}
      {profile && !work && upgrade && <UpgradeView name={name} upgrade={upgrade} />}
      {profile && !work && !upgrade && <ProfileFacts profile={profile} />}
    </Panel>
  )
}

function ProfileFacts({ profile }: { profile: ProfileStatus }) {
  const { buildProfile, checkUpgrade, editProfile, tryProfile } = useActions()
  const { kind, word, reasons } = describeProfile(profile)
  return (
    <>
      <dl className="facts">
        <dt>State</dt>
        <dd className="state-fact">
          <StateGlyph kind={kind} /> {word}
        </dd>
        {reasons.length > 0 && (
          <>
            <dt>Why</dt>
            <dd className="selectable">
              {reasons.map((reason) => (
                <p key={reason}>{reason}</p>
              ))}
            </dd>
          </>
        )}
        <dt>Limits</dt>
        <dd>{capsInWords(profile.caps) || 'none of its own'}</dd>
        <dt>Image</dt>
        <dd className="mono selectable">{profile.image}</dd>
        <dt>From</dt>
        <dd>{profile.source === 'bundled' ? 'Paddock' : 'your own profiles'}</dd>
        {(profile.source === 'user' || profile.error !== null) && (
          <>
            <dt>File</dt>
            <dd className="mono selectable">
              <PathText path={profile.file} />
            </dd>
          </>
        )}
        {profile.base && profile.error === null && <BaseFact name={profile.name} base={profile.base} />}
      </dl>
      <div className="actions">
        <Button icon={Pencil} onClick={() => void editProfile(profile.name)}>
          Edit
        </Button>
        {profile.error === null && (
          <Button icon={kind === 'missing' ? Hammer : RotateCw} onClick={() => void buildProfile(profile.name, kind === 'fresh')}>
            {kind === 'missing' ? 'Build' : kind === 'fresh' ? 'Rebuild from scratch' : 'Rebuild'}
          </Button>
        )}
        {profile.error === null && (
          <Button icon={ArrowUpCircle} onClick={() => void checkUpgrade(profile.name)}>
            Check for updates
          </Button>
        )}
        {profile.error === null && profile.runnable && (
          <Button icon={Play} title="In a throwaway sandbox, on an empty folder" onClick={() => void tryProfile(profile.name)}>
            Try it
          </Button>
        )}
      </div>
      {!profile.runnable && profile.error === null && <p className="quiet">{purposeOf(profile)}</p>}
      {profile.findings.length > 0 && (
        <PanelSection title="Worth knowing">
          <FindingList findings={profile.findings} />
        </PanelSection>
      )}
    </>
  )
}

/** The image under all profiles: how old it is, and a way to a newer one. */
function BaseFact({ name, base: { image, created } }: { name: string; base: BaseImage }) {
  const { refreshBase } = useActions()
  return (
    <>
      <dt>Base image</dt>
      <dd>
        <p className="selectable">
          <span className="mono">{shortImage(image)}</span>
          <span className="quiet">{created === null ? ', not on this machine' : `, ${ageOfImage(created)}`}</span>
        </p>
        <button type="button" className="link-button" title="Gets the newest base image and builds on it from scratch" onClick={() => void refreshBase(name)}>
          Refresh base packages
        </button>
      </dd>
    </>
  )
}

function ageOfImage(created: string): string {
  const days = ageInDays(new Date(created), new Date())
  return days < 1 ? 'less than a day old' : `${daysInWords(days)} old`
}

/** As people write it: what Docker's own images are in full says nothing. */
const shortImage = (image: string) => image.replace(/^docker\.io\/(library\/)?/, '')

/** A profile's build under way, or how it ended. */
export function ProfileBuild({ name }: { name: string }) {
  const work = useApp(({ builds }) => builds[name])
  const { cancelBuild, dismissBuild, buildProfile } = useActions()
  if (!work) return null
  const { status, error } = work
  const titles = { running: 'Building', cancelling: 'Building', failed: 'The build failed', cancelled: 'The build was cancelled', done: 'Built' }
  return (
    <WorkView
      work={work}
      title={titles[status]}
      actions={
        work.endedAt === null ? (
          <Button disabled={status === 'cancelling'} onClick={() => cancelBuild(name)}>
            {status === 'cancelling' ? 'Cancelling…' : 'Cancel'}
          </Button>
        ) : (
          <>
            {status !== 'done' && <Button onClick={() => void buildProfile(name, work.pull, work.pull)}>Try again</Button>}
            <Button onClick={() => dismissBuild(name)}>Back</Button>
          </>
        )
      }
    >
      {error && <ErrorNotice what="The image was not built." error={error} />}
    </WorkView>
  )
}
