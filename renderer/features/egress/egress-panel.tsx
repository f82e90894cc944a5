import { useState } from 'react'
import { describeEgress } from '../../../shared/domain/egress-words.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Panel } from '../panels/panel.tsx'
import { SandboxTabs } from '../panels/sandbox-tabs.tsx'
import { useSandboxName } from '../panels/use-sandbox-name.ts'
import { AskedHosts } from './asked-hosts.tsx'
import { HostTotals } from './host-totals.tsx'
import { PolicyView } from './policy-view.tsx'
import { RequestLog } from './request-log.tsx'
import { usePolicy } from './use-policy.ts'
import { useRequests } from './use-requests.ts'
import './egress.css'

const views = { requests: 'Requests', hosts: 'Hosts', rules: 'Rules' }
type View = keyof typeof views

/** What a sandbox reaches and asks for, what lets it through, and what the person may still decide. */
export default function EgressPanel({ id }: { id: string }) {
  const mode = useApp(({ sandboxes }) => sandboxes?.find((one) => one.id === id)?.egress)
  const profile = useApp(({ sandboxes, open }) => sandboxes?.find((one) => one.id === id)?.profile ?? open[id]?.profile ?? '')
  // An answer changes the rules.
  const asked = useApp(({ prompts }) => prompts.find(({ sandboxId }) => sandboxId === id)?.hosts.length ?? 0)
  const policy = usePolicy(id, String(asked))
  const hasLog = (mode ?? policy.policy?.mode) === 'allowlist'
  return (
    <Panel title={`Egress of ${useSandboxName(id)}`} heading={<SandboxTabs id={id} shown="egress" />} isWide>
      {policy.failure && <ErrorNotice what={policy.failure.what} error={policy.failure.error} />}
      {hasLog ? <Logged key={id} id={id} profile={profile} policy={policy} /> : policy.policy && <Unlogged mode={policy.policy.mode} profile={profile} policy={policy} />}
    </Panel>
  )
}

interface PartProps {
  profile: string
  policy: ReturnType<typeof usePolicy>
}

function Logged({ id, profile, policy }: PartProps & { id: string }) {
  const [view, setView] = useState<View>('requests')
  const [attempt, setAttempt] = useState(0)
  const { lines, error } = useRequests(id, attempt)
  return (
    <>
      <AskedHosts id={id} profile={profile} />
      <div className="egress-views" role="group" aria-label="What to show">
        {(Object.keys(views) as View[]).map((kind) => (
          <button key={kind} type="button" className="panel-tab" aria-pressed={kind === view} onClick={() => setView(kind)}>
            {views[kind]}
          </button>
        ))}
      </div>
      {error && (
        <ErrorNotice what="The requests are not known any further." error={error}>
          <Button onClick={() => setAttempt((before) => before + 1)}>Try again</Button>
        </ErrorNotice>
      )}
      {view === 'rules' && policy.policy && <PolicyView profile={profile} policy={policy.policy} onAllow={policy.allow} onForget={policy.forget} />}
      {view === 'requests' && lines && <RequestLog id={id} lines={lines} />}
      {view === 'hosts' && lines && <HostTotals lines={lines} />}
    </>
  )
}

/** A sandbox whose traffic Paddock does not see: only what holds it can be told. */
function Unlogged({ mode, profile, policy: { policy, allow, forget } }: PartProps & { mode: Parameters<typeof describeEgress>[0] }) {
  const { editProfile } = useActions()
  const { word, why, isWeaker } = describeEgress(mode)
  return (
    <>
      <div className="egress-intro">
        <p className={isWeaker ? 'warn' : ''}>
          Egress is <span className="strong">{word}</span>.
        </p>
        <p className="quiet">{why}</p>
        <p className="quiet">Paddock sees single requests, and asks about them, only with egress allowlist.</p>
        <div className="actions">
          <Button onClick={() => void editProfile(profile)}>Edit profile {profile}</Button>
        </div>
      </div>
      {policy && <PolicyView profile={profile} policy={policy} onAllow={allow} onForget={forget} />}
    </>
  )
}
