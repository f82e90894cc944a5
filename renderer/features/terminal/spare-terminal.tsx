import { useEffect, useRef } from 'react'
import { useActions, useApp } from '../../store/context.tsx'
import { surfaces } from './surface.ts'
import { terminalOptions } from './terminal-options.ts'
import { useDark } from './use-dark.ts'
import '@xterm/xterm/css/xterm.css'
import './terminal.css'

/** Has the screen of the next terminal made, in its later size, while the window has nothing else to do. Never seen. */
export default function SpareTerminal() {
  const isTerminalShown = useApp(({ view }) => view.kind === 'sandbox')
  const settings = useApp((state) => state.settings)
  const options = terminalOptions(settings, useDark())
  const { noteTerminalSize } = useActions()
  const shelf = useRef<HTMLDivElement>(null)

  useEffect(() => {
    // A terminal in sight may be one that starts.
    if (isTerminalShown) return
    let idle = 0
    const prepare = () => {
      cancelIdleCallback(idle)
      idle = requestIdleCallback(() => {
        const size = surfaces.prepare(shelf.current!, options)
        if (size) noteTerminalSize(size)
      })
    }
    // Called once at the start, too.
    const observer = new ResizeObserver(prepare)
    observer.observe(shelf.current!)
    return () => {
      observer.disconnect()
      cancelIdleCallback(idle)
    }
  }, [isTerminalShown, JSON.stringify(options), noteTerminalSize])
  return <div ref={shelf} className="terminal-box terminal-shelf" inert />
}
