import { useEffect, useState } from 'react'
import type { About } from '../../../shared/contract/window-contract.ts'
import { useActions, useApi } from '../../store/context.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'

export function AboutPanel() {
  const api = useApi()
  const actions = useActions()
  const [about, setAbout] = useState<About | null>(null)
  useEffect(() => {
    void api.call('app.about', {}).then((reply) => (reply.ok ? setAbout(reply.value) : actions.report(reply.error)))
  }, [api, actions])
  const lines: [string, string][] = [
    ['Paddock', about?.version ?? ''],
    ['Podman', about ? (about.podman ?? 'does not answer') : ''],
    ['Electron', about?.electron ?? ''],
    ['Chromium', about?.chrome ?? ''],
    ['Node', about?.node ?? ''],
    ['System', about?.os ?? ''],
  ]
  const text = lines.map(([name, value]) => `${name}: ${value}`).join('\n')
  return (
    <>
      <p>Runs AI coding agents on your projects without letting them into your machine.</p>
      <dl className="facts">
        {lines.map(([name, value]) => (
          <div key={name} className="field">
            <dt className="quiet">{name}</dt>
            <dd className="mono">{value || '…'}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <CopyButton label="Copy the versions" copy={() => navigator.clipboard.writeText(text)} />
        <span className="quiet">Copy them for a report.</span>
      </div>
    </>
  )
}
