import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useActions, useApp } from '../../store/context.tsx'
import { AboutPanel } from './about-panel.tsx'
import { HostPanel } from './host-panel.tsx'
import { SettingsPanel } from './settings-panel.tsx'

const titles = { settings: 'Settings', host: 'Host', about: 'About Paddock' } as const
const contents: Record<keyof typeof titles, () => ReactNode> = { settings: SettingsPanel, host: HostPanel, about: AboutPanel }

/** The side panel: one at a time, over the main pane. */
export function Panels() {
  const panel = useApp((state) => state.panel)
  const actions = useActions()
  if (panel === null) return null
  const Content = contents[panel]
  return (
    <aside className="panel" aria-label={titles[panel]} data-region>
      <div className="panel-head">
        <h1>{titles[panel]}</h1>
        <button className="icon-button" aria-label="Close" autoFocus onClick={() => actions.setPanel(null)}>
          <X size={16} strokeWidth={1.5} aria-hidden />
        </button>
      </div>
      <Content />
    </aside>
  )
}
