import { Command } from 'cmdk'
import { useEffect, useRef, useState } from 'react'
import { rankMatches } from '../../../shared/domain/rank-matches.ts'
import { useActions, useApp, useAppStore } from '../../store/context.tsx'
import type { AppState } from '../../store/store.ts'
import type { PalettePage } from '../../store/view-slice.ts'
import { Icon } from '../../ui/icon.tsx'
import { screenInSight } from '../terminal/screens.ts'
import { type PaletteItem, paletteItems } from './palette-items.ts'
import './palette.css'

/** Nobody reads further; another letter finds it sooner. */
const maxShown = 50

const prompts: Record<PalettePage['kind'], string> = {
  all: 'Search projects, sandboxes and commands',
  tabs: 'Switch to a sandbox',
  launch: 'Launch a project',
  profiles: 'Launch with a profile',
}

/** Everything by name, in a layer above the window. */
export default function Palette() {
  const page = useApp((state) => state.palette) ?? { kind: 'all' }
  const store = useAppStore()
  const { openPalette } = useActions()
  const dialog = useRef<HTMLDialogElement>(null)
  const [query, setQuery] = useState('')
  useEffect(() => {
    const element = dialog.current!
    const before = document.activeElement
    element.showModal()
    // The dialog would give the focus to its first part that can take it, which is the frame of the list.
    element.querySelector('input')?.focus()
    return () => {
      element.close()
      // The element itself gives the focus back unless what had it is gone or hidden by now.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
    }
  }, [])
  useEffect(() => setQuery(''), [page.kind])

  // Drawn anew when these change.
  useApp((state) => state.sandboxes)
  useApp((state) => state.profiles)
  const found = rankMatches(paletteItems(store, page, query !== ''), query, ({ text, note = '' }) => `${text} ${note}`)
  const shown = found.slice(0, maxShown)
  const groups = [...new Set(shown.map(({ group }) => group))]
  const close = () => openPalette(null)
  const run = (item: PaletteItem) => {
    close()
    item.run()
  }
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={prompts[page.kind]}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClick={({ target }) => target === dialog.current && close()}
      onKeyDown={(event) => {
        if (event.key !== 'k' || !event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        close()
        sendOn(store.getState())
      }}
    >
      <Command shouldFilter={false} loop label={prompts[page.kind]}>
        <Command.Input className="palette-input" placeholder={prompts[page.kind]} value={query} onValueChange={setQuery} />
        <Command.List className="command-list">
          {found.length === 0 && <p className="command-empty quiet">Nothing is named so.</p>}
          {groups.map((group) => (
            <Command.Group key={group} heading={group}>
              {shown
                .filter((item) => item.group === group)
                .map((item) => (
                  <Command.Item key={item.id} value={item.id} className="command-item" onSelect={() => run(item)}>
                    <Icon of={item.icon} className="quiet" />
                    <span className="palette-text ellipsis">{item.text}</span>
                    <span className="quiet ellipsis grow palette-note">{item.note}</span>
                    {item.keys && <kbd>{item.keys}</kbd>}
                  </Command.Item>
                ))}
            </Command.Group>
          ))}
          {found.length > maxShown && <p className="command-empty quiet">{found.length - maxShown} more; type to find them.</p>}
        </Command.List>
      </Command>
    </dialog>
  )
}

/** Ctrl+K twice reaches the program in the terminal, which may have a use of its own for it. */
function sendOn(state: AppState): void {
  if (state.view.kind === 'sandbox') screenInSight(state, state.view.id)?.type('\u000b')
}
