import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useApi, useApp, useAppStore } from '../../store/context.tsx'
import { paneInSight } from '../../store/shells-slice.ts'
import { IconButton } from '../../ui/button.tsx'
import { LinkBar } from './link-bar.tsx'
import { PasteBar } from './paste-bar.tsx'
import { registerScreen, screenName } from './screens.ts'
import { SearchBar } from './search-bar.tsx'
import { terminalOptions } from './terminal-options.ts'
import { createScreen, type Screen } from './terminal-screen.ts'
import { useDark } from './use-dark.ts'

/** What stands above the terminal; one at a time. */
type Bar = { kind: 'search' } | { kind: 'link'; url: string } | { kind: 'paste'; text: string; lines: number }

export interface TerminalViewProps {
  /** Its sandbox. */
  id: string
  pane: string
  terminalId: string
  label: string
  isShown: boolean
  /** Of the terminals in sight it gets the keys. */
  isActive: boolean
  warnings?: readonly string[]
  onExit: (exitCode: number | null) => void
}

/** A terminal's screen and what it asks. It lives as long as its terminal, in sight or not. */
export function TerminalView({ id, pane, terminalId, label, isShown, isActive, warnings = noWarnings, onExit }: TerminalViewProps) {
  const api = useApi()
  const name = screenName(id, pane)
  const store = useAppStore()
  const settings = useApp((state) => state.settings)
  const options = terminalOptions(settings, useDark())
  const box = useRef<HTMLDivElement>(null)
  const screen = useRef<Screen>(null)
  const [bar, setBar] = useState<Bar | null>(null)
  const [areWarningsRead, setWarningsRead] = useState(false)
  const [results, setResults] = useState({ at: 0, count: 0 })

  useEffect(() => {
    const element = box.current!
    const made = createScreen(api, terminalId, element, options, {
      onExit,
      onLink: (url) => setBar({ kind: 'link', url }),
      onSearch: () => setBar({ kind: 'search' }),
      onRiskyPaste: (text, lines) => setBar({ kind: 'paste', text, lines }),
      onResults: setResults,
      isCopyOnSelect: () => store.getState().settings.copyOnSelect ?? false,
    })
    screen.current = made
    const forget = registerScreen(name, { focus: made.focus, openSearch: () => setBar({ kind: 'search' }), type: made.type })
    const observer = new ResizeObserver(() => made.fit())
    observer.observe(element)
    return () => {
      observer.disconnect()
      forget()
      made.dispose()
      screen.current = null
    }
    // What changes later reaches the screen through the effects below.
  }, [api, store, name, terminalId])
  useEffect(() => {
    screen.current?.apply(options)
  }, [JSON.stringify(options)])
  useEffect(() => {
    if (isShown) screen.current?.show()
    else screen.current?.hide()
  }, [isShown])
  useEffect(() => {
    screen.current?.setActive(isActive)
    // Another pane may be the active one since this was drawn; keys that come here would make it this one again.
    if (paneInSight(store.getState(), id) !== pane) return
    // What stands in the same pane has the keys already: its search, or its question.
    if (isShown && isActive && !box.current!.closest('.terminal-pane')?.contains(document.activeElement)) screen.current?.focus()
  }, [isShown, isActive])

  const close = () => {
    setBar(null)
    screen.current?.endSearch()
  }
  return (
    <>
      {warnings.length > 0 && !areWarningsRead && (
        <div className="bar warn-bar" role="note">
          <p className="grow selectable">{warnings.join(' ')}</p>
          <IconButton icon={X} label="Close the note" onClick={() => setWarningsRead(true)} />
        </div>
      )}
      {bar?.kind === 'search' && (
        <SearchBar
          results={results}
          onSearch={(text, direction, isTyping) => screen.current?.search(text, direction, isTyping)}
          onClose={close}
        />
      )}
      {bar?.kind === 'link' && <LinkBar url={bar.url} onClose={close} />}
      {bar?.kind === 'paste' && (
        <PasteBar
          text={bar.text}
          lines={bar.lines}
          onPaste={() => {
            screen.current?.paste(bar.text)
            close()
          }}
          onClose={close}
        />
      )}
      <div className="terminal-box" ref={box} data-terminal={name} role="group" aria-label={label} />
    </>
  )
}

const noWarnings: readonly string[] = []
