import { useEffect, useRef, useState } from 'react'
import { useActions, useApi, useApp } from '../../store/context.tsx'
import { Question } from '../../ui/question.tsx'
import { SearchLine } from './search-line.tsx'
import { linesOf } from './terminal-look.ts'
import { createScreen, type Screen } from './terminal-screen.ts'

type Asking = { kind: 'link'; url: string } | { kind: 'paste'; text: string } | null

/** As much of a pasted text as shows what it is. */
const previewLines = 3
const maxAddress = 200

export function TerminalBox({ id, terminalId, isShown }: { id: string; terminalId: string; isShown: boolean }) {
  const api = useApi()
  const actions = useActions()
  const settings = useApp((state) => state.settings)
  const box = useRef<HTMLDivElement>(null)
  const screen = useRef<Screen>(null)
  const [isSearching, setSearching] = useState(false)
  const [asking, ask] = useState<Asking>(null)

  useEffect(() => {
    const made = createScreen(api, terminalId, settings, {
      onExit: (exitCode) => actions.noteExit(id, exitCode),
      onLink: (url) => ask({ kind: 'link', url }),
      onSearch: () => setSearching(true),
      onRiskyPaste: (text) => ask({ kind: 'paste', text }),
      onTrouble: (message) => actions.report({ code: 'internal', message }),
    })
    screen.current = made
    made.mount(box.current!)
    const observer = new ResizeObserver(() => made.fit())
    observer.observe(box.current!)
    return () => {
      observer.disconnect()
      made.dispose()
    }
    // The screen lives as long as its terminal; settings reach it below.
  }, [terminalId])
  useEffect(() => {
    screen.current?.apply(settings)
    const system = window.matchMedia('(prefers-color-scheme: dark)')
    const change = () => screen.current?.apply(settings)
    system.addEventListener('change', change)
    return () => system.removeEventListener('change', change)
  }, [settings])
  useEffect(() => {
    if (isShown) screen.current?.show()
    else screen.current?.hide()
  }, [isShown])

  return (
    <>
      {isSearching && (
        <SearchLine
          onSearch={(text, isForward) => screen.current?.search(text, isForward) ?? false}
          onClose={() => {
            setSearching(false)
            screen.current?.endSearch()
          }}
        />
      )}
      {asking?.kind === 'link' && (
        <Question
          label="Open a link"
          yes="Open"
          onYes={() => {
            ask(null)
            void api.call('app.openExternal', { url: asking.url }).then((reply) => reply.ok || actions.report(reply.error))
          }}
          onNo={() => ask(null)}
        >
          Open this in your browser? <span className="mono">{asking.url.slice(0, maxAddress)}</span>
        </Question>
      )}
      {asking?.kind === 'paste' && (
        <Question
          label="Paste lines"
          yes="Paste"
          onYes={() => {
            ask(null)
            screen.current?.paste(asking.text)
          }}
          onNo={() => ask(null)}
        >
          {linesOf(asking.text).length === 1 ? 'Paste a whole line? The program would run it at once.' : `Paste ${linesOf(asking.text).length} lines? The program would run each as it comes.`}
          <pre className="preview">{linesOf(asking.text).slice(0, previewLines).join('\n')}</pre>
        </Question>
      )}
      <div className="terminal-box" ref={box} data-terminal={id} />
    </>
  )
}
