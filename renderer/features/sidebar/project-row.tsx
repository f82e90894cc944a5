import { Ellipsis, FolderOpen, Pin, PinOff, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { chooseLaunch } from '../../../shared/domain/launch-choice.ts'
import type { RecentProject } from '../../../shared/domain/recent-project.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { type Glyph, StateGlyph } from '../../ui/state-glyph.tsx'

export interface RowProps {
  tabIndex: number
  'data-row': number
}

export function ProjectRow({ project, isSelected, row }: { project: RecentProject; isSelected: boolean; row: RowProps }) {
  const { folder, name, pinned, exists } = project
  const launch = useApp(({ launches }) => launches[folder]?.status)
  const running = useApp(({ sandboxes }) => (sandboxes ?? []).filter((one) => one.project === folder && one.state === 'running').length)
  const [isMenuOpen, setMenuOpen] = useState(false)
  const launchLabel = useApp((state) => {
    const profile = state.profileFor(folder)
    const choice = chooseLaunch(state.profiles?.find((one) => one.name === profile), state.settings, state.obstacle)
    return `${choice.label.replace(/…$/, '')} with ${profile}`
  })
  const actions = useActions()
  const mark = markOf(exists, launch, running)
  return (
    <div className={`row ${isSelected ? 'selected' : ''}`}>
      <button
        type="button"
        className="row-main"
        {...row}
        aria-current={isSelected ? 'page' : undefined}
        title={folder}
        aria-description={[mark?.word, pinned ? 'pinned' : null, folder].filter(Boolean).join(', ')}
        onClick={() => actions.showProject(folder)}
        onDoubleClick={() => void actions.requestLaunch(folder)}
        onContextMenu={(event) => {
          event.preventDefault()
          setMenuOpen(true)
        }}
      >
        {mark ? <StateGlyph kind={mark.kind} /> : <span className="row-gap" />}
        <span className="row-text">
          <span className={`row-name ellipsis ${exists ? '' : 'quiet'}`}>{name}</span>
          {mark && (
            <span className="row-word" aria-hidden>
              {mark.word}
            </span>
          )}
        </span>
        {pinned && <Icon of={Pin} className="row-pin" />}
      </button>
      {exists && mark?.kind !== 'working' && (
        <IconButton className="row-launch" icon={Play} label={`${launchLabel}: ${name}`} tabIndex={row.tabIndex} onClick={() => void actions.requestLaunch(folder)} />
      )}
      <Menu
        isOpen={isMenuOpen}
        onOpenChange={setMenuOpen}
        align="start"
        items={[
          { text: 'Launch', icon: Play, isDisabled: !exists, onSelect: () => void actions.requestLaunch(folder) },
          { text: 'Launch with profile…', isDisabled: !exists, onSelect: () => actions.openPalette({ kind: 'profiles', folder }) },
          null,
          { text: pinned ? 'Unpin' : 'Pin', icon: pinned ? PinOff : Pin, onSelect: () => void actions.pinProject(folder, !pinned) },
          { text: 'Show in file manager', icon: FolderOpen, isDisabled: !exists, onSelect: () => void actions.revealProject(folder) },
          { text: 'Remove from the list', icon: Trash2, onSelect: () => void actions.removeProject(folder) },
        ]}
      >
        <button type="button" className="icon-button row-more" tabIndex={row.tabIndex} aria-label={`More for ${name}`}>
          <Icon of={Ellipsis} />
        </button>
      </Menu>
    </div>
  )
}

function markOf(exists: boolean, launch: string | undefined, running: number): { kind: Glyph; word: string } | null {
  if (!exists) return { kind: 'broken', word: 'gone' }
  if (launch === 'running' || launch === 'cancelling') return { kind: 'working', word: 'launching' }
  if (launch === 'failed') return { kind: 'broken', word: 'failed' }
  if (running > 0) return { kind: 'fresh', word: running === 1 ? 'running' : `${running} running` }
  return null
}
