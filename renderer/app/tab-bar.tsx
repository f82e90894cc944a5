import { Search } from 'lucide-react'
import { useActions, useApp } from '../store/context.tsx'
import { useTabs } from './use-tabs.ts'

/** Running sandboxes, and ended ones that were looked at, as tabs. */
export function TabBar() {
  const tabs = useTabs()
  const view = useApp((state) => state.view)
  const actions = useActions()
  return (
    <div className="tabs" data-region>
      <div className="tab-list" role="tablist" aria-label="Sandboxes">
        {tabs.map(({ id, title, isEnded }) => (
          <button key={id} className="tab" role="tab" aria-selected={view.kind === 'sandbox' && view.id === id} onClick={() => void actions.attach(id)} title={title}>
            <i className={`dot ${isEnded ? 'ended' : ''}`} role="img" aria-label={isEnded ? 'ended' : 'running'} />
            <span>{title}</span>
          </button>
        ))}
      </div>
      <button className="icon-button" aria-label="Command palette" title="Command palette (Ctrl+K)" onClick={() => actions.setPalette(true)}>
        <Search size={16} strokeWidth={1.5} aria-hidden />
      </button>
    </div>
  )
}
