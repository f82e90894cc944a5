import { useEffect, useState } from 'react'
import { describeEgress } from '../../../shared/domain/egress-words.ts'
import { describeIsolation } from '../../../shared/domain/isolation-words.ts'
import { nameOf } from '../../../shared/domain/sandbox-tabs.ts'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { capsInWords, durationInWords, sizeInWords } from '../../../shared/domain/words.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { CodeLine } from '../../ui/code-line.tsx'
import { Facts } from '../../ui/facts.tsx'
import { useNow } from '../../ui/use-now.ts'
import { Panel, PanelSection } from './panel.tsx'
import '../project/project.css'

/** A sandbox in detail: what holds it, what it may use and uses, and the command that gives the same. */
export default function SandboxPanel({ id }: { id: string }) {
  const sandbox = useApp(({ sandboxes }) => sandboxes?.find((one) => one.id === id))
  const { commandOf } = useActions()
  const [command, setCommand] = useState<string | null>(null)
  const isThere = sandbox !== undefined
  useEffect(() => {
    if (isThere) void commandOf(id).then(setCommand)
  }, [id, isThere, commandOf])
  return (
    <Panel title={`Sandbox ${nameOf(sandbox?.project ?? null, id)}`}>
      {sandbox ? <SandboxFacts sandbox={sandbox} /> : <p className="quiet">Podman does not list this sandbox any more.</p>}
      {command !== null && (
        <PanelSection title="The same with podman">
          <CodeLine text={command} label="Copy the command" />
        </PanelSection>
      )}
    </Panel>
  )
}

const capNames = { ramMib: 'memory', cpus: 'CPUs', pids: 'processes' }

function SandboxFacts({ sandbox }: { sandbox: Sandbox }) {
  const { id, project, profile, isolation, egress, startedAt, caps, ports, state, channelProblem } = sandbox
  const settings = useApp((store) => store.settings)
  const obstacle = useApp((store) => store.obstacle)
  const stats = useApp((store) => store.stats[id])
  const now = useNow(5_000)
  const { word, isWeaker, why } = describeIsolation(isolation, settings, obstacle)
  const network = describeEgress(egress)
  const facts: [string, React.ReactNode][] = [
    ['Isolation', <><span className={isWeaker ? 'warn' : ''}>{word}</span><p className="quiet">{why}</p></>],
    ['Egress', <><span className={network.isWeaker ? 'warn' : ''}>{network.word}</span><p className="quiet">{network.why}</p></>],
    ['Project', <span className="mono">{project ?? 'none'}</span>],
    ['Profile', profile],
    ['State', state],
    ['Running for', startedAt ? durationInWords(now - Date.parse(startedAt)) : '–'],
    ['Uses now', stats ? `${stats.cpu.toFixed(1)} CPU · ${sizeInWords(stats.memoryBytes)}` : '–'],
    ['Limits', capsInWords(caps) || 'none'],
    ...(caps.unenforced.length > 0
      ? [['Not enforced', <span className="warn">{caps.unenforced.map((cap) => capNames[cap]).join(', ')}: this host cannot hold the sandbox to it.</span>] as [string, React.ReactNode]]
      : []),
    ['Ports', ports.length === 0 ? 'none' : ports.map(({ host, hostPort, sandboxPort, protocol }) => `${host || '*'}:${hostPort} → ${sandboxPort}/${protocol}`).join(', ')],
    ...(channelProblem !== null ? [['Reached by', <span className="warn">Its first terminal only: {channelProblem}.</span>] as [string, React.ReactNode]] : []),
    ['Id', <span className="mono">{id.slice(0, 12)}</span>],
  ]
  return <Facts facts={facts} />
}
