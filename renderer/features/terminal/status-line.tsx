import { CircleStop, Columns2, Ellipsis, FolderOpen, Plug, RotateCw, Rows2, Search, SquarePlus, SquareTerminal } from 'lucide-react'
import { describeEgress } from '../../../shared/domain/egress-words.ts'
import { describeIsolation } from '../../../shared/domain/isolation-words.ts'
import { nameOf } from '../../../shared/domain/sandbox-tabs.ts'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { desktopPlaceOf } from '../../store/desktops-slice.ts'
import { useActions, useApp, useAppStore } from '../../store/context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { StatusFigures } from './status-figures.tsx'
import { screenInSight } from './screens.ts'

/** What a sandbox is and does, in one line; each part opens the panel that tells more. */
export function StatusLine({ id, sandbox }: { id: string; sandbox: Sandbox | undefined }) {
  const open = useApp((state) => state.open[id])
  const settings = useApp((state) => state.settings)
  const obstacle = useApp((state) => state.obstacle)
  const isStopping = useApp(({ stopping }) => stopping.includes(id))
  const store = useAppStore()
  const actions = useActions()
  const asked = useApp(({ confirming }) => (confirming?.id === id ? confirming.what : null))
  const profile = sandbox?.profile ?? open?.profile ?? ''
  const project = sandbox?.project ?? open?.project ?? null
  const isRunning = sandbox?.state === 'running'
  const isolation = sandbox && isRunning ? describeIsolation(sandbox.isolation, settings, obstacle) : null
  const egress = sandbox && isRunning ? describeEgress(sandbox.egress) : null
  const ask = (what: 'stop' | 'restart' | null) => actions.confirm(what && { id, what })
  const copyCommand = async () => {
    const command = await actions.commandOf(id)
    if (command !== null) await navigator.clipboard.writeText(command)
  }
  const screen = () => screenInSight(store.getState(), id)
  const details = () => actions.openPanel({ kind: 'sandbox', id })
  return (
    <div className="status-line">
      <div className="status-items">
        <button type="button" className="status-item" onClick={() => actions.openPanel({ kind: 'profile', name: profile })}>
          {profile}
        </button>
        {isolation && (
          <button type="button" className={`status-item ${isolation.isWeaker ? 'warn' : ''}`} title={isolation.why} onClick={details}>
            {isolation.isWeaker && <StateGlyph kind="warning" />}
            {isolation.word}
          </button>
        )}
        {egress && (
          <button type="button" className={`status-item ${egress.isWeaker ? 'warn' : ''}`} title={egress.why} onClick={() => actions.openPanel({ kind: 'egress', id })}>
            {egress.isWeaker && <StateGlyph kind="warning" />}
            egress {egress.word}
          </button>
        )}
        {sandbox && isRunning && <StatusFigures sandbox={sandbox} onOpen={details} />}
        {!isRunning && <span className="status-item quiet">{open?.exitCode !== undefined ? 'ended' : (sandbox?.state ?? (open?.wasListed ? 'ended' : 'starting'))}</span>}
      </div>
      {asked !== null && (
        <Confirm
          question={`${asked === 'stop' ? 'Stop' : 'Restart'} ${nameOf(project, id)}? What runs in it ends.`}
          yes={asked === 'stop' ? 'Stop' : 'Restart'}
          no="Keep running"
          onYes={() => {
            ask(null)
            void (asked === 'stop' ? actions.stopSandbox(id) : actions.restartSandbox(id))
          }}
          onNo={() => {
            ask(null)
            screen()?.focus()
          }}
        />
      )}
      {asked === null && (
        <div className="status-actions">
          {isRunning &&
            (['files', 'ports'] as const).map((kind) => (
              <button key={kind} type="button" className="status-item" onClick={() => actions.openPanel({ kind, id })}>
                {kind === 'files' ? 'Files' : 'Ports'}
              </button>
            ))}
          {sandbox && isRunning && <DesktopToggle sandbox={sandbox} />}
          {isRunning && <IconButton icon={SquarePlus} label="New shell" keys="Ctrl+Shift+T" onClick={() => void actions.openShell(id, 'tab')} />}
          {isRunning && <IconButton icon={Columns2} label="Split the terminal" keys="Ctrl+Shift+D" onClick={() => void actions.openShell(id, 'beside')} />}
          {open?.terminalId && <IconButton icon={Search} label="Search" keys="Ctrl+Shift+F" onClick={() => screen()?.openSearch()} />}
          <Menu
            items={[
              { text: 'Details', icon: SquareTerminal, onSelect: details },
              { text: 'MCP clients', icon: Plug, onSelect: () => actions.openPanel({ kind: 'mcp', id, project: null }) },
              {
                text: 'Copy podman command',
                onSelect: () => void copyCommand(),
              },
              { text: 'Split the terminal below', icon: Rows2, keys: 'Ctrl+Shift+S', isDisabled: !isRunning, onSelect: () => void actions.openShell(id, 'below') },
              { text: 'Show in file manager', icon: FolderOpen, isDisabled: project === null, onSelect: () => project && void actions.revealProject(project) },
              null,
              { text: 'Restart…', icon: RotateCw, isDisabled: !isRunning || project === null, onSelect: () => ask('restart') },
              { text: 'Stop…', icon: CircleStop, isDisabled: !isRunning, onSelect: () => ask('stop') },
            ]}
          >
            <button type="button" className="icon-button" aria-label="More">
              <Icon of={Ellipsis} />
            </button>
          </Menu>
          {isStopping ? (
            <span className="quiet status-item">stopping…</span>
          ) : (
            isRunning && <IconButton icon={CircleStop} label="Stop the sandbox" onClick={() => ask('stop')} />
          )}
        </div>
      )}
    </div>
  )
}

function DesktopToggle({ sandbox }: { sandbox: Sandbox }) {
  const { placeDesktop } = useActions()
  const isOpen = useApp((state) => desktopPlaceOf(state, sandbox)) !== 'hidden'
  return (
    <button type="button" className="status-item" aria-pressed={isOpen} onClick={() => placeDesktop(sandbox.id, isOpen ? 'hidden' : 'beside')}>
      Desktop
    </button>
  )
}
