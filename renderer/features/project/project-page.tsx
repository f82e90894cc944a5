import { useState } from 'react'
import { chooseLaunch, type LaunchChoice } from '../../../shared/domain/launch-choice.ts'
import { defaultProfile } from '../../../shared/domain/profile.ts'
import { capsInWords, profileStateInWords } from '../../../shared/domain/words.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { LaunchAction } from './launch-action.tsx'
import { LaunchProgress } from './launch-progress.tsx'

/** More would push the launch button's neighbours off the page; the tabs have them all. */
const maxShown = 6

/** A project: what it would be launched with, and the one button that does it. */
export function ProjectPage({ folder }: { folder: string }) {
  const project = useApp((state) => state.projects?.find((candidate) => candidate.folder === folder))
  const profiles = useApp((state) => state.profiles)
  const settings = useApp((state) => state.settings)
  const obstacle = useApp((state) => state.obstacle)
  const launch = useApp((state) => state.launches[folder])
  const running = useApp((state) => state.sandboxes)?.filter((sandbox) => sandbox.project === folder && sandbox.state === 'running') ?? []
  const actions = useActions()
  const [picked, pick] = useState<string | null>(null)
  const name = picked ?? project?.lastProfile ?? defaultProfile
  const profile = profiles?.find((candidate) => candidate.name === name)
  const isThere = project?.exists !== false
  const choice: LaunchChoice = !isThere
    ? { kind: 'impossible', why: 'The folder is not there any more. Remove it from the list, or put it back.', label: 'Launch' }
    : profiles === null
      ? { kind: 'impossible', why: 'Looking at the profiles…', label: 'Launch' }
      : chooseLaunch(profile, settings, obstacle)

  return (
    <div className="page">
      <div className="page-inner">
        <header>
          <h1>{project?.name ?? folder.split('/').at(-1)}</h1>
          <p className="quiet mono path">{folder}</p>
        </header>
        {launch ? (
          <LaunchProgress launch={launch} />
        ) : (
          <>
            <div>
              <label className="field">
                <span>Profile</span>
                <select className="input" value={name} onChange={({ target }) => pick(target.value)}>
                  {profile === undefined && <option value={name}>{name}</option>}
                  {(profiles ?? []).filter((candidate) => candidate.runnable || candidate.name === name).map((candidate) => (
                    <option key={candidate.name} value={candidate.name}>
                      {candidate.name}
                      {candidate.state === 'fresh' && candidate.error === null ? '' : ` (${profileStateInWords(candidate)})`}
                    </option>
                  ))}
                </select>
              </label>
              {profile && (
                <div className="field top">
                  <span />
                  <div className="quiet">
                    <p>{capsInWords(profile.caps)}</p>
                    {profile.error === null && profile.reasons.map((reason) => <p key={reason}>{reason}</p>)}
                  </div>
                </div>
              )}
            </div>
            <LaunchAction
              choice={choice}
              findings={profile?.findings ?? []}
              onStart={(choices) => void actions.launch(folder, name, choices)}
              onForGood={() => void actions.changeSettings({ isolation: 'container' })}
            />
            <div className="actions">
              {isThere && (
                <button className="button" onClick={() => void actions.reveal(folder)}>
                  Open the folder
                </button>
              )}
              {profile && (
                <button className="button" onClick={() => actions.show({ kind: 'profile', name })}>
                  About this profile
                </button>
              )}
              {running.slice(0, maxShown).map(({ id, profile: used }) => (
                <button key={id} className="button" onClick={() => void actions.attach(id)}>
                  Show running {used}
                </button>
              ))}
            </div>
          </>
        )}
      </div>
    </div>
  )
}
