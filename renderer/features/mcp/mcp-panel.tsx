import { useEffect, useState } from 'react'
import type { McpSubject } from '../../../shared/domain/mcp-setups.ts'
import { triedProfile } from '../../../shared/domain/try-folder.ts'
import { nameOf } from '../../../shared/domain/sandbox-tabs.ts'
import { useApi, useApp } from '../../store/context.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Panel } from '../panels/panel.tsx'
import { SandboxTabs } from '../panels/sandbox-tabs.tsx'
import { CallList } from './call-list.tsx'
import { ClientList } from './client-list.tsx'
import { SetupList } from './setup-list.tsx'
import { useMcp } from './use-mcp.ts'
import './mcp.css'

/** How MCP clients get into a sandbox, who is in it and what they call. */
export default function McpPanel({ project, id }: { project: string | null; id: string | null }) {
  const open = useApp((state) => (id === null ? undefined : state.open[id]))
  const sandbox = useApp(({ sandboxes }) => sandboxes?.find((one) => one.id === id))
  const folder = project ?? sandbox?.project ?? open?.project ?? null
  // A throwaway folder is gone with its sandbox.
  const subject: McpSubject = { project: folder !== null && triedProfile(folder) !== null ? null : folder, sandbox: id }
  const { activity, error } = useMcp(subject)
  const command = useCommand()
  const isQuiet = activity !== null && activity.clients.length === 0 && activity.calls.length === 0
  const name = nameOf(folder, id ?? '')
  return (
    <Panel title={`MCP clients of ${name}`} {...(id !== null && { heading: <SandboxTabs id={id} shown="mcp" /> })}>
      {error && <ErrorNotice what="It is not known who is connected." error={error} />}
      {activity !== null && (
        <>
          {isQuiet ? (
            <div className="mcp-intro">
              <p>No MCP client has come yet.</p>
              <p className="quiet">Claude, Cursor, VS Code or ChatGPT can work on {name} through Paddock: they read, write and run commands inside the sandbox, and reach nothing else. Add it to one of them, and its calls appear here.</p>
            </div>
          ) : (
            <>
              <ClientList clients={activity.clients} />
              {activity.calls.length > 0 && <CallList calls={activity.calls} />}
            </>
          )}
          {command !== null && <SetupList key={isQuiet ? 'quiet' : 'busy'} command={command} subject={subject} isOpen={isQuiet} />}
        </>
      )}
    </Panel>
  )
}

/** What starts the `paddock` of this app; null until it is known. */
function useCommand(): readonly string[] | null {
  const api = useApi()
  const [command, setCommand] = useState<readonly string[] | null>(null)
  useEffect(() => {
    let isOver = false
    void api.call('mcp.command', {}).then((reply) => void (!isOver && reply.ok && setCommand(reply.value)))
    return () => {
      isOver = true
    }
  }, [api])
  return command
}
