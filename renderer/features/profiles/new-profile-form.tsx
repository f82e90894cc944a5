import { useId, useState } from 'react'
import { defaultProfile } from '../../../shared/domain/profile.ts'
import { useActions, useAppParts } from '../../store/context.tsx'
import { NameForm } from './name-form.tsx'

/** A new profile, in the sidebar: its name, and what it adds to; or one that is there already, to be imported. */
export function NewProfileForm() {
  const id = useId()
  const bases = useAppParts(({ profiles }) => (profiles ?? []).filter(({ error }) => error === null).map(({ name }) => name))
  const [from, setFrom] = useState(bases.includes(defaultProfile) ? defaultProfile : (bases[0] ?? defaultProfile))
  const { createProfile, importProfile } = useActions()
  return (
    <div className="new-profile">
      <NameForm title="New profile" verb={['Create', 'Creating…']} onName={(name) => void createProfile(name, from)}>
        <div className="new-profile-base">
          <label htmlFor={id}>Adds to</label>
          <select id={id} className="input" value={from} onChange={({ target }) => setFrom(target.value)}>
            {bases.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
      </NameForm>
      <p className="new-profile-import quiet">
        Or import{' '}
        <button type="button" className="link-button" onClick={() => void importProfile('file')}>
          a file…
        </button>{' '}
        or{' '}
        <button type="button" className="link-button" onClick={() => void importProfile('folder')}>
          a folder…
        </button>
      </p>
    </div>
  )
}
