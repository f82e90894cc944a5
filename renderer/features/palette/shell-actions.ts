import { Columns2, Rows2, SquarePlus, X } from 'lucide-react'
import { ownPane } from '../../../shared/domain/shell-layout.ts'
import { paneInSight, sandboxInSight } from '../../store/shells-slice.ts'
import type { AppState } from '../../store/store.ts'
import type { PaletteItem } from './palette-items.ts'

/** What can be done with the terminals of the sandbox in sight. */
export function shellActions(state: AppState): PaletteItem[] {
  const id = sandboxInSight(state)
  if (id === null) return []
  const pane = paneInSight(state, id)
  const add = (text: string, keys: string, icon: PaletteItem['icon'], run: () => void): PaletteItem => ({ id: text, group: 'Sandboxes', text, keys, icon, run })
  return [
    add('New shell', 'Ctrl+Shift+T', SquarePlus, () => void state.openShell(id, 'tab')),
    add('Split the terminal', 'Ctrl+Shift+D', Columns2, () => void state.openShell(id, 'beside')),
    add('Split the terminal below', 'Ctrl+Shift+S', Rows2, () => void state.openShell(id, 'below')),
    ...(pane === ownPane ? [] : [add('Close this shell', 'Ctrl+Shift+W', X, () => void state.closeShell(id, pane))]),
  ]
}
