import { FolderOpen, RotateCw, Square, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { weaknessInWords } from '../../../shared/domain/launch-choice.ts'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { durationInWords, sizeInWords } from '../../../shared/domain/words.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { icon } from '../../ui/icon.ts'
import { Question } from '../../ui/question.tsx'

type Asking = 'stop' | 'restart' | 'why' | 'limits' | null

const capNames = { ramMib: 'memory', cpus: 'CPUs', pids: 'processes' } as const

/** What a running sandbox is, how it does, and what can be done with it. */
export function StatusLine({ sandbox }: { sandbox: Sandbox }) {
  const { id, profile, project, isolation, caps } = sandbox
  const actions = useActions()
  const [asking, ask] = useState<Asking>(null)
  const toggle = (what: Asking) => ask(asking === what ? null : what)
  return (
    <>
      <div className="status" role="group" aria-label="Sandbox">
        <div className="status-items">
          <button className="status-item" title="About this profile" onClick={() => actions.show({ kind: 'profile', name: profile })}>
            {profile}
          </button>
          {isolation === 'microvm' ? (
            <span className="status-item">microVM</span>
          ) : (
            <button className="status-item amber" aria-expanded={asking === 'why'} title="Why this is weaker than a microVM" onClick={() => toggle('why')}>
              {isolation}
            </button>
          )}
          <Figures sandbox={sandbox} />
          {caps.unenforced.length > 0 && (
            <button className="status-item amber" aria-expanded={asking === 'limits'} onClick={() => toggle('limits')}>
              limits not enforced
            </button>
          )}
        </div>
        {project && (
          <button className="icon-button" aria-label="Open the folder" title="Open the folder" onClick={() => void actions.reveal(project)}>
            <FolderOpen {...icon} />
          </button>
        )}
        <CopyButton label="Copy the podman command" copy={() => actions.copyCommand(id)} />
        {project && (
          <button className="icon-button" aria-label="Restart the sandbox" title="Restart the sandbox" onClick={() => toggle('restart')}>
            <RotateCw {...icon} />
          </button>
        )}
        <button className="icon-button" aria-label="Stop the sandbox" title="Stop the sandbox" onClick={() => toggle('stop')}>
          <Square {...icon} />
        </button>
      </div>
      {asking === 'stop' && (
        <Question label="Stop the sandbox" yes="Stop" no="Keep" onYes={() => (ask(null), void actions.stop(id))} onNo={() => ask(null)}>
          Stop it? What runs in it ends; the project stays.
        </Question>
      )}
      {asking === 'restart' && (
        <Question label="Restart the sandbox" yes="Restart" no="Keep" onYes={() => (ask(null), void actions.restart(id))} onNo={() => ask(null)}>
          Restart it? What runs in it ends, and {profile} starts anew.
        </Question>
      )}
      {asking === 'why' && <Why isolation={isolation} onClose={() => ask(null)} />}
      {asking === 'limits' && (
        <div className="line" role="status">
          <div className="line-text">This machine does not enforce its limit of {caps.unenforced.map((cap) => capNames[cap]).join(', ')}.</div>
          <Dismiss onClose={() => ask(null)} />
        </div>
      )}
    </>
  )
}

function Figures({ sandbox: { id, startedAt, ports } }: { sandbox: Sandbox }) {
  const stats = useApp((state) => state.stats[id])
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <>
      {startedAt && <span className="status-item">{durationInWords(now - Date.parse(startedAt))}</span>}
      {stats && <span className="status-item">{stats.cpu.toFixed(1)} CPU</span>}
      {stats && <span className="status-item">{sizeInWords(stats.memoryBytes)}</span>}
      {ports.map(({ host, hostPort, sandboxPort }) => (
        <span key={`${host}:${hostPort}`} className="status-item mono">
          {hostPort}→{sandboxPort}
        </span>
      ))}
    </>
  )
}

function Why({ isolation, onClose }: { isolation: Sandbox['isolation']; onClose: () => void }) {
  const settings = useApp((state) => state.settings)
  const obstacle = useApp((state) => state.obstacle)
  const actions = useActions()
  return (
    <div className="line" role="status">
      <div className="line-text">{weaknessInWords(isolation, settings, obstacle)}</div>
      <button className="button" onClick={() => actions.setPanel('host')}>
        Check this machine
      </button>
      <Dismiss onClose={onClose} />
    </div>
  )
}

function Dismiss({ onClose }: { onClose: () => void }) {
  return (
    <button className="icon-button" aria-label="Dismiss" onClick={onClose}>
      <X {...icon} />
    </button>
  )
}
