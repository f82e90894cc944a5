import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { panesOf, placeOf, shownTab } from '../../../shared/domain/shell-layout.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { IconButton } from '../../ui/button.tsx'

export interface TerminalPaneProps {
  id: string
  pane: string
  name: string
  /** Absent for the sandbox's own terminal. */
  onClose?: () => void
  children: ReactNode
}

/** A pane of a sandbox's tab of terminals. Its heading is there only while it shares the tab. */
export function TerminalPane({ id, pane, name, onClose, children }: TerminalPaneProps) {
  const group = useApp(({ shells }) => shells[id])
  const { activatePane } = useActions()
  const tab = group && shownTab(group.layout)
  const place = tab && placeOf(tab, pane)
  const isDivided = tab !== undefined && panesOf(tab).length > 1
  return (
    <div
      className="terminal-pane"
      hidden={tab !== undefined && place === undefined}
      data-active={isDivided && tab.active === pane}
      style={place && { gridColumn: place.column, gridRow: `${place.row} / span ${place.rows}` }}
      onFocus={() => activatePane(id, pane)}
    >
      {isDivided && (
        <div className="pane-head">
          <span className="grow ellipsis">{name}</span>
          {onClose && <IconButton icon={X} label={`Close ${name}`} keys="Ctrl+Shift+W" onClick={onClose} />}
        </div>
      )}
      {children}
    </div>
  )
}
