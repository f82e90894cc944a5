import { Plus } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { rankMatches } from '../../../shared/domain/rank-matches.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { NewProfileForm } from '../profiles/new-profile-form.tsx'
import { ListNote } from './list-note.tsx'
import { ProfileRow } from './profile-row.tsx'

/** With so few the eye is quicker than a filter. */
const filterFrom = 12

export function ProfileList() {
  const profiles = useApp((state) => state.profiles)
  const error = useApp((state) => state.profilesError)
  const selected = useApp(({ panel }) => (panel?.kind === 'profile' ? panel.name : undefined))
  const isAdding = useApp(({ task }) => task?.kind === 'new')
  const { loadProfiles, startTask } = useActions()
  const [query, setQuery] = useState('')
  const found = rankMatches(profiles ?? [], useDeferredValue(query), ({ name }) => name)
  const canFilter = (profiles?.length ?? 0) > filterFrom
  return (
    <section className="sidebar-section profiles" aria-labelledby="profiles-heading">
      <header className="sidebar-heading">
        <h2 id="profiles-heading">Profiles</h2>
        <span className="sidebar-tools">
          {canFilter && <span className="sidebar-count">{found.length === profiles?.length ? found.length : `${found.length} of ${profiles?.length}`}</span>}
          <IconButton icon={Plus} label="New profile" aria-expanded={isAdding} onClick={() => startTask(isAdding ? null : { kind: 'new' })} />
        </span>
      </header>
      {isAdding && <NewProfileForm />}
      {canFilter && (
        <div className="sidebar-filter">
          <input
            className="input"
            type="search"
            value={query}
            aria-label="Filter profiles"
            placeholder="Filter"
            onChange={({ target }) => setQuery(target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape' && query !== '') {
                event.stopPropagation()
                setQuery('')
              }
            }}
          />
        </div>
      )}
      {profiles === null && error === null && <ListNote>Looking at the images…</ListNote>}
      {error && <ListNote error={error} onRetry={() => void loadProfiles()} />}
      {profiles?.length === 0 && <ListNote>There is no profile.</ListNote>}
      {profiles !== null && profiles.length > 0 && found.length === 0 && <ListNote>No profile is named so.</ListNote>}
      {found.length > 0 && (
        <RowList
          label="Profiles"
          items={found}
          keyOf={({ name }) => name}
          selectedKey={selected}
          renderRow={(profile, row) => <ProfileRow profile={profile} isSelected={profile.name === selected} row={row} />}
        />
      )}
    </section>
  )
}
