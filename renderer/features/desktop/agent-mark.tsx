import { useEffect, useState } from 'react'
import type { DesktopAct } from '../../../shared/domain/desktop-act.ts'

/** Long enough to be seen. */
const shownMs = 2_000

/** Where an agent has just acted. @param toPane turns a place of the desktop into one of the pane */
export function AgentMark({ act, toPane }: { act: DesktopAct | null; toPane: (place: { x: number; y: number }) => { x: number; y: number } | null }) {
  const [isFresh, setFresh] = useState(false)
  const at = act?.at
  useEffect(() => {
    const leftMs = at === undefined ? 0 : Date.parse(at) + shownMs - Date.now()
    setFresh(leftMs > 0)
    if (leftMs <= 0) return
    const timer = setTimeout(() => setFresh(false), leftMs)
    return () => clearTimeout(timer)
  }, [at])
  if (!act || !isFresh) return null
  const place = act.place && toPane(act.place)
  return (
    <>
      {place && <span key={at} className="agent-mark" style={{ left: place.x, top: place.y }} />}
      <span className="desktop-figures agent-note" role="status">
        An agent {act.place ? 'uses the mouse' : act.tool === 'desktop_launch' ? 'starts a program' : 'uses the keyboard'}
      </span>
    </>
  )
}
