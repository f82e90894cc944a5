import { useState } from 'react'
import { portRows } from '../../../shared/domain/port-rows.ts'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import type { ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { useApi, useApp } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Panel } from '../panels/panel.tsx'
import { SandboxTabs } from '../panels/sandbox-tabs.tsx'
import { Unreachable } from '../panels/unreachable.tsx'
import { useSandboxName } from '../panels/use-sandbox-name.ts'
import { LinkBar } from '../terminal/link-bar.tsx'
import { PortItem } from './port-item.tsx'
import { usePorts } from './use-ports.ts'
import './ports.css'

/** What listens in a sandbox, and what of it can be reached from this machine. */
export default function PortsPanel({ id }: { id: string }) {
  const sandbox = useApp(({ sandboxes }) => sandboxes?.find((one) => one.id === id))
  return (
    <Panel title={`Ports of ${useSandboxName(id)}`} heading={<SandboxTabs id={id} shown="ports" />}>
      <Unreachable sandbox={sandbox} what="Its ports">
        {(running) => <PortsOf sandbox={running} />}
      </Unreachable>
    </Panel>
  )
}

function PortsOf({ sandbox }: { sandbox: Sandbox }) {
  const { id } = sandbox
  const api = useApi()
  const { ports, error, look } = usePorts(id, true)
  const [failure, setFailure] = useState<{ what: string; error: ErrorReport } | null>(null)
  const [busy, setBusy] = useState<number | null>(null)
  const [url, setUrl] = useState<string | null>(null)
  const change = async (name: 'ports.forward' | 'ports.stop', port: number) => {
    setBusy(port)
    const reply = await api.call(name, { id, port })
    setFailure(reply.ok ? null : { what: name === 'ports.forward' ? `Port ${port} was not forwarded.` : `Port ${port} is still forwarded.`, error: reply.error })
    await look()
    setBusy(null)
  }
  if (ports === null && error === null) return <p className="quiet late">Looking at what listens…</p>
  const rows = ports === null ? [] : portRows(ports.listening, ports.forwards, sandbox.ports)
  return (
    <div className="ports">
      {url !== null && <LinkBar url={url} onClose={() => setUrl(null)} />}
      {error && (
        <ErrorNotice what="The ports could not be read." error={error}>
          <Button onClick={() => void look()}>Try again</Button>
        </ErrorNotice>
      )}
      {failure && (
        <ErrorNotice what={failure.what} error={failure.error}>
          <Button onClick={() => setFailure(null)}>Dismiss</Button>
        </ErrorNotice>
      )}
      {ports !== null && rows.length === 0 && <Nothing />}
      {rows.length > 0 && (
        <ul className="port-list" aria-label="Ports that listen in this sandbox">
          {rows.map((row) => (
            <PortItem key={row.port} row={row} isBusy={busy === row.port} onForward={() => void change('ports.forward', row.port)} onStop={() => void change('ports.stop', row.port)} onOpen={setUrl} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Nothing() {
  return (
    <div className="ports-empty">
      <p>Nothing listens in this sandbox.</p>
      <p className="quiet">When a server starts in it, its port appears here. Forward then leads a port of this machine to it; nobody else can reach that.</p>
    </div>
  )
}
