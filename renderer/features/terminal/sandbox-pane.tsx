import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { StatusLine } from './status-line.tsx'
import { TerminalBox } from './terminal-box.tsx'

/** Names a sandbox's tab and pane to each other. */
export const tabId = (id: string) => `tab-${id}`
export const paneId = (id: string) => `pane-${id}`

/** A sandbox's status line and terminal. It stays mounted while another tab is shown, so nothing is lost. */
export function SandboxPane({ id, isShown }: { id: string; isShown: boolean }) {
  const sandbox = useApp((state) => state.sandboxes?.find((candidate) => candidate.id === id))
  const terminal = useApp((state) => state.terminals[id])
  const ended = useApp((state) => state.ended[id])
  return (
    <div className="pane" id={paneId(id)} hidden={!isShown} role="tabpanel" aria-labelledby={tabId(id)} data-region={isShown ? true : undefined}>
      {ended ? <EndedLine id={id} exitCode={ended.exitCode} sandbox={ended.sandbox} /> : sandbox && <StatusLine sandbox={sandbox} />}
      {terminal ? <TerminalBox key={terminal.terminalId} id={id} terminalId={terminal.terminalId} isShown={isShown} /> : <p className="side-note">Connecting to its terminal…</p>}
    </div>
  )
}

function EndedLine({ id, exitCode, sandbox }: { id: string; exitCode: number | null; sandbox: Sandbox }) {
  const actions = useActions()
  return (
    <div className="status" role="status">
      <span className="status-items">{exitCode === null ? 'The connection to its terminal was lost' : `Ended with exit code ${exitCode}`}</span>
      {sandbox.project && (
        <button className="button" onClick={() => actions.show({ kind: 'project', folder: sandbox.project! })}>
          Launch again…
        </button>
      )}
      <button className="button" onClick={() => actions.closeTab(id)}>
        Close
      </button>
    </div>
  )
}
