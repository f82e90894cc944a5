import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useActions, useApp } from '../../store/context.tsx'
import type { Panel } from '../../store/state.ts'
import { icon } from '../../ui/icon.ts'
import { AboutPanel } from './about-panel.tsx'
import { HostPanel } from './host-panel.tsx'
import { SettingsPanel } from './settings-panel.tsx'

const titles: Record<Panel, string> = { settings: 'Settings', host: 'Host', about: 'About Paddock' }
const contents: Record<Panel, () => ReactNode> = { settings: SettingsPanel, host: HostPanel, about: AboutPanel }

/** The side panel: one at a time, over the main pane. */
export function Panels() {
  const panel = useApp((state) => state.panel)
  return panel && <OpenPanel panel={panel} />
}

function OpenPanel({ panel }: { panel: Panel }) {
  const actions = useActions()
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const before = document.activeElement
    close.current?.focus()
    return () => {
      // Back to where the person was, unless they have moved on.
      if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const Content = contents[panel]
  return (
    <aside className="panel" aria-label={titles[panel]} data-region>
      <div className="panel-head">
        <h1>{titles[panel]}</h1>
        <button ref={close} className="icon-button" aria-label="Close" title="Close (Esc)" onClick={() => actions.setPanel(null)}>
          <X {...icon} />
        </button>
      </div>
      <Content />
    </aside>
  )
}
