import { useEffect, useState } from 'react'
import type { About } from '../../../shared/contract/window-contract.ts'
import { useApi } from '../../store/context.tsx'

export function AboutPanel() {
  const api = useApi()
  const [about, setAbout] = useState<About | null>(null)
  useEffect(() => {
    void api.call('app.about', {}).then((reply) => reply.ok && setAbout(reply.value))
  }, [api])
  const lines: [string, string | null | undefined][] = [
    ['Paddock', about?.version],
    ['Podman', about?.podman],
    ['Electron', about?.electron],
    ['Chromium', about?.chrome],
    ['Node', about?.node],
    ['System', about?.os],
  ]
  return (
    <dl style={{ margin: 0 }}>
      {lines.map(([name, value]) => (
        <div key={name} className="field">
          <dt className="quiet">{name}</dt>
          <dd className="mono" style={{ margin: 0 }}>
            {value ?? '–'}
          </dd>
        </div>
      ))}
    </dl>
  )
}
