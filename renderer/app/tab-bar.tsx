import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { paneId, tabId } from '../features/terminal/sandbox-pane.tsx'
import { useActions, useApp } from '../store/context.tsx'
import { icon } from '../ui/icon.ts'
import { useTabs } from './use-tabs.ts'

/** Running sandboxes, and ended ones that were looked at, as tabs: arrows move, Enter shows, Delete closes an ended one. */
export function TabBar() {
  const tabs = useTabs()
  const shown = useApp(({ view }) => (view.kind === 'sandbox' ? view.id : null))
  const isKnown = useApp((state) => state.sandboxes !== null)
  const actions = useActions()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [shown, tabs.length])
  const reachable = tabs.some(({ id }) => id === shown) ? shown : tabs[0]?.id
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>, id: string, isEnded: boolean) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key]
    if (step !== undefined) {
      const all = [...list.current!.querySelectorAll<HTMLElement>('[role="tab"]')]
      const at = all.indexOf(event.currentTarget) + step
      all[Number.isFinite(at) ? (at + all.length) % all.length : at < 0 ? 0 : all.length - 1]?.focus()
    } else if (event.key === 'Delete' && isEnded) actions.closeTab(id)
    else return
    event.preventDefault()
  }
  return (
    <div className="tabs" data-region>
      <div
        ref={list}
        className="tab-list"
        {...(tabs.length > 0 ? { role: 'tablist', 'aria-label': 'Sandboxes' } : {})}
        onWheel={({ deltaY, currentTarget }) => currentTarget.scrollBy({ left: deltaY })}
      >
        {tabs.map(({ id, title, detail, isEnded }) => (
          <button
            key={id}
            id={tabId(id)}
            className="tab"
            role="tab"
            aria-selected={shown === id}
            aria-controls={shown === id ? paneId(id) : undefined}
            tabIndex={reachable === id ? 0 : -1}
            title={detail}
            onClick={() => void actions.attach(id)}
            onAuxClick={() => isEnded && actions.closeTab(id)}
            onKeyDown={(event) => onKeyDown(event, id, isEnded)}
          >
            <i className={`dot ${isEnded ? 'ended' : ''}`} role="img" aria-label={isEnded ? 'ended' : 'running'} />
            <span>{title}</span>
          </button>
        ))}
        {isKnown && tabs.length === 0 && <span className="tab-note">No sandbox is running</span>}
      </div>
      <button className="icon-button" aria-label="Command palette" title="Command palette (Ctrl+K)" onClick={() => actions.setPalette(true)}>
        <Search {...icon} />
      </button>
    </div>
  )
}
