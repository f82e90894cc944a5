import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useActions } from '../../store/context.tsx'
import { IconButton } from '../../ui/button.tsx'
import './panel.css'

interface PanelProps {
  title: string
  /** Stands in the title's place; the title is then for screen readers. */
  heading?: ReactNode
  actions?: ReactNode
  /** For what needs the width of a text. */
  isWide?: boolean
  children: ReactNode
}

/** The frame of a side panel: it takes the focus when it comes and gives it back when it goes. */
export function Panel({ title, heading, actions, isWide = false, children }: PanelProps) {
  const { openPanel } = useActions()
  const frame = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    // What the panel was opened to ask has taken it already.
    if (!frame.current?.contains(before)) frame.current?.focus()
    return () => {
      if (before instanceof HTMLElement && (document.activeElement === document.body || document.activeElement === null)) before.focus()
    }
  }, [])
  return (
    <aside ref={frame} className={`panel ${isWide ? 'wide' : ''}`} aria-label={title} tabIndex={-1} data-region>
      <header className="panel-head">
        <h2 className={heading ? 'sr-only' : 'grow ellipsis'}>{title}</h2>
        {heading}
        {actions}
        <IconButton icon={X} label="Close" keys="Esc" onClick={() => openPanel(null)} />
      </header>
      <div className="panel-body">{children}</div>
    </aside>
  )
}

export function PanelSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel-section" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}
