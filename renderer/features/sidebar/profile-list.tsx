import type { ProfileStatus } from '../../../shared/domain/profile.ts'
import { profileInWords, profileStateInWords } from '../../../shared/domain/words.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'

export function ProfileList({ filter }: { filter: string }) {
  const profiles = useApp((state) => state.profiles)
  const shown = profiles?.filter(({ name }) => name.includes(filter.toLowerCase()))
  return (
    <section className="side-section" aria-labelledby="profiles-head">
      <div className="side-head">
        <h2 id="profiles-head">Profiles</h2>
      </div>
      {profiles === null && <p className="side-note">Looking…</p>}
      {profiles?.length === 0 && <p className="side-note">There is no profile here.</p>}
      {filter !== '' && shown?.length === 0 && <p className="side-note">None fits.</p>}
      <ul>
        {shown?.map((profile) => (
          <ProfileRow key={profile.name} profile={profile} />
        ))}
      </ul>
    </section>
  )
}

function ProfileRow({ profile }: { profile: ProfileStatus }) {
  const isCurrent = useApp(({ view }) => view.kind === 'profile' && view.name === profile.name)
  const isBuilding = useApp(({ builds }) => builds[profile.name]?.isRunning ?? false)
  const actions = useActions()
  const word = isBuilding ? 'building' : profileStateInWords(profile)
  return (
    <li>
      <button
        className="row"
        aria-current={isCurrent ? 'page' : undefined}
        title={profileInWords(profile).join('\n')}
        onClick={() => actions.show({ kind: 'profile', name: profile.name })}
      >
        <StateGlyph profile={profile} />
        <span className="name">{profile.name}</span>
        {word !== 'fresh' && (
          <span className="quiet" aria-hidden={!isBuilding}>
            {word}
          </span>
        )}
      </button>
    </li>
  )
}
