import { useState } from 'react'
import { chooseLaunch, type LaunchChoice } from '../../../shared/domain/launch-choice.ts'
import { capsInWords } from '../../../shared/domain/words.ts'
import type { Isolation } from '../../../shared/domain/sandbox.ts'
import { useActions, useApi, useApp } from '../../store/context.tsx'
import { LaunchProgress } from './launch-progress.tsx'

const fallbackProfile = 'default'

/** A project: what it would be launched with, and the one button that does it. */
export function ProjectPage({ folder }: { folder: string }) {
  const project = useApp((state) => state.projects?.find((candidate) => candidate.folder === folder))
  const profiles = useApp((state) => state.profiles)
  const settings = useApp((state) => state.settings)
  const obstacle = useApp((state) => state.obstacle)
  const launch = useApp((state) => state.launches[folder])
  const running = useApp((state) => state.sandboxes)?.filter((sandbox) => sandbox.project === folder && sandbox.state === 'running') ?? []
  const actions = useActions()
  const api = useApi()
  const [picked, pick] = useState<string | null>(null)
  const name = picked ?? project?.lastProfile ?? fallbackProfile
  const profile = profiles?.find((candidate) => candidate.name === name)
  const choice: LaunchChoice = profiles === null ? { kind: 'impossible', why: 'Looking at the profiles…', label: 'Launch' } : chooseLaunch(profile, settings, obstacle)
  const start = (isolation: Isolation | undefined, acceptFindings: boolean) => void actions.launch(folder, name, { isolation, acceptFindings })

  return (
    <div className="page">
      <div className="page-inner">
        <header>
          <h1>{project?.name ?? folder.split('/').at(-1)}</h1>
          <p className="quiet mono">{folder}</p>
        </header>
        {project?.exists === false && <p className="amber">The folder is not there any more.</p>}
        {launch ? (
          <LaunchProgress launch={launch} onRetry={start} />
        ) : (
          <>
            <label className="field">
              <span>Profile</span>
              <select className="input" value={name} onChange={({ target }) => pick(target.value)}>
                {(profiles ?? []).filter((candidate) => candidate.runnable || candidate.name === name).map((candidate) => (
                  <option key={candidate.name} value={candidate.name}>
                    {candidate.name}
                    {candidate.state === 'fresh' ? '' : ` (${candidate.state})`}
                  </option>
                ))}
              </select>
            </label>
            {profile && <p className="quiet">{capsInWords(profile.caps)}</p>}
            {profile?.error === null && profile.reasons.map((reason) => <p key={reason} className="quiet">{reason}</p>)}
            <LaunchAction choice={choice} onStart={start} onForGood={() => void actions.changeSettings({ isolation: 'container' })} />
            <div className="actions">
              <button className="button" onClick={() => void api.call('project.reveal', { folder })}>
                Open the folder
              </button>
              {running.map(({ id, profile: used }) => (
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

interface LaunchActionProps {
  choice: LaunchChoice
  onStart: (isolation: Isolation | undefined, acceptFindings: boolean) => void
  onForGood: () => void
}

function LaunchAction({ choice, onStart, onForGood }: LaunchActionProps) {
  const profileFindings = choice.kind === 'ask-findings'
  if (choice.kind === 'launch') {
    return (
      <div className="actions">
        <button className="button primary" data-primary onClick={() => onStart(undefined, false)}>
          {choice.label}
        </button>
        {choice.isolation === 'container' && <span className="amber">Shares this machine’s kernel</span>}
      </div>
    )
  }
  if (choice.kind === 'ask-isolation') {
    return (
      <div className="notice">
        <h2>This machine cannot run a microVM</h2>
        <p>
          What is missing: {choice.why}. {choice.fix}
        </p>
        <p>A container is hardened too, but it shares this machine’s kernel: a hole in the kernel is a way out.</p>
        <div className="actions">
          <button className="button primary" data-primary onClick={() => onStart('container', false)}>
            Launch in container once
          </button>
          <button
            className="button"
            onClick={() => {
              onForGood()
              onStart('container', false)
            }}
          >
            Always use containers
          </button>
        </div>
      </div>
    )
  }
  if (profileFindings) {
    return (
      <div className="notice">
        <h2>This profile asks for more power than a sandbox should have</h2>
        <p className="quiet">Its findings are listed in the sidebar and by “paddock profiles”.</p>
        <div className="actions">
          <button className="button" data-primary onClick={() => onStart(undefined, true)}>
            Launch all the same
          </button>
        </div>
      </div>
    )
  }
  return <p className="quiet">{choice.kind === 'impossible' ? choice.why : ''}</p>
}
