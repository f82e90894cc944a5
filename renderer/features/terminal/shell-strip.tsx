import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { ownPane, panesOf, shownTab, type ShellTab } from '../../../shared/domain/shell-layout.ts'
import { ownTerminalName, shellName } from '../../../shared/domain/shell-words.ts'
import { useActions } from '../../store/context.tsx'
import type { ShellGroup } from '../../store/shells-slice.ts'
import { Icon } from '../../ui/icon.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { useCloseShell } from './shell-panes.tsx'

/** The tabs of a sandbox's terminals, while there is more than one. */
export function ShellStrip({ id, group: { layout, shells } }: { id: string; group: ShellGroup }) {
  const { activatePane } = useActions()
  const close = useCloseShell(id)
  const strip = useRef<HTMLDivElement>(null)
  const shown = shownTab(layout)
  useEffect(() => {
    strip.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [layout])
  if (layout.tabs.length < 2) return null
  const nameOf = (pane: string) => (pane === ownPane ? ownTerminalName : shellName(shells[pane]?.number ?? null))
  const closeTab = (tab: ShellTab) => panesOf(tab).filter((pane) => pane !== ownPane).forEach((pane) => close(pane))
  const onKey = (event: KeyboardEvent) => {
    const at = layout.tabs.findIndex(({ active }) => active === (event.target as HTMLElement).dataset.pane)
    if (at < 0) return
    if (event.key === 'Delete') return closeTab(layout.tabs[at]!)
    const count = layout.tabs.length
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    strip.current?.querySelectorAll<HTMLElement>('[role="tab"]')[(to + count) % count]?.focus()
  }
  return (
    <div className="shell-strip">
      <div ref={strip} className="shell-tabs" role="tablist" aria-label="Terminals" onKeyDown={onKey} onWheel={({ deltaY }) => strip.current?.scrollBy({ left: deltaY })}>
        {layout.tabs.map((tab) => {
          const panes = panesOf(tab)
          const name = panes.map(nameOf).join(', ')
          const hasEnded = panes.some((pane) => shells[pane]?.exitCode !== undefined || shells[pane]?.error)
          return (
            <span key={panes[0]} className="shell-tab" role="presentation" data-shown={tab === shown}>
              <button
                type="button"
                role="tab"
                data-pane={tab.active}
                aria-selected={tab === shown}
                tabIndex={tab === shown ? 0 : -1}
                onClick={() => activatePane(id, tab.active)}
                onAuxClick={({ button }) => button === 1 && closeTab(tab)}
              >
                {hasEnded && <StateGlyph kind="warning" />}
                <span className="ellipsis">{name}</span>
                {hasEnded && <span className="sr-only">, ended</span>}
              </button>
              {!panes.includes(ownPane) && (
                // Delete on the tab does the same: a list of tabs may hold nothing but tabs.
                <button type="button" className="shell-close" aria-hidden="true" tabIndex={-1} title={`Close ${name}`} onClick={() => closeTab(tab)}>
                  <Icon of={X} />
                </button>
              )}
            </span>
          )
        })}
      </div>
    </div>
  )
}
