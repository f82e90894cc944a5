import { Copy, Search, Square, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { durationInWords, sizeInWords } from '../../../shared/domain/words.ts'
import { useActions, useApi, useApp } from '../../store/context.tsx'
import { createScreen, type Screen } from './terminal-screen.ts'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

/** A sandbox's status line and terminal. It stays mounted while another tab is shown, so nothing is lost. */
export function SandboxPane({ id, isShown }: { id: string; isShown: boolean }) {
  const sandbox = useApp((state) => state.sandboxes?.find((candidate) => candidate.id === id))
  const terminal = useApp((state) => state.terminals[id])
  const ended = useApp((state) => state.ended[id])
  return (
    <div className="pane" hidden={!isShown} role="tabpanel" data-region>
      {sandbox && <StatusLine sandbox={sandbox} />}
      {ended && <EndedLine id={id} exitCode={ended.exitCode} sandbox={ended.sandbox} />}
      {terminal && <TerminalBox key={terminal.terminalId} id={id} terminalId={terminal.terminalId} isShown={isShown} />}
    </div>
  )
}

function StatusLine({ sandbox }: { sandbox: Sandbox }) {
  const { id, profile, isolation, startedAt, caps } = sandbox
  const stats = useApp((state) => state.stats[id])
  const actions = useActions()
  const api = useApi()
  const [isAsking, ask] = useState(false)
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  const figures = [
    startedAt && durationInWords(now - Date.parse(startedAt)),
    stats && `${stats.cpu.toFixed(1)} cpu`,
    stats && sizeInWords(stats.memoryBytes),
    caps.unenforced.length > 0 ? 'limits not enforced' : null,
  ].filter(Boolean)
  return (
    <div className="status">
      <span>{profile}</span>·
      {isolation === 'microvm' ? (
        <span>microVM</span>
      ) : (
        <button className="amber" onClick={() => actions.setPanel('host')} title="It shares this machine’s kernel. Click to see why.">
          {isolation}
        </button>
      )}
      {figures.map((figure) => (
        <span key={String(figure)}>· {figure}</span>
      ))}
      <span className="grow" />
      {isAsking ? (
        <>
          <span>Stop it?</span>
          <button
            className="button"
            autoFocus
            onClick={() => {
              ask(false)
              void actions.stop(id)
            }}
          >
            Stop
          </button>
          <button className="button" onClick={() => ask(false)}>
            Keep
          </button>
        </>
      ) : (
        <>
          <button
            className="icon-button"
            aria-label="Copy the podman command"
            title="Copy the podman command"
            onClick={async () => {
              const reply = await api.call('sandbox.command', { id })
              if (reply.ok) await navigator.clipboard.writeText(reply.value)
            }}
          >
            <Copy {...icon} />
          </button>
          <button className="icon-button" aria-label="Stop the sandbox" title="Stop the sandbox" onClick={() => ask(true)}>
            <Square {...icon} />
          </button>
        </>
      )}
    </div>
  )
}

function EndedLine({ id, exitCode, sandbox }: { id: string; exitCode: number | null; sandbox: Sandbox }) {
  const actions = useActions()
  return (
    <div className="status" role="status">
      <span>{exitCode === null ? 'The connection was lost' : `Ended with exit code ${exitCode}`}</span>
      <span className="grow" />
      {sandbox.project && (
        <button className="button" onClick={() => actions.show({ kind: 'project', folder: sandbox.project! })}>
          Launch again…
        </button>
      )}
      <button className="button" onClick={() => actions.closeTab(id)}>
        Close
      </button>
    </div>
  )
}

function TerminalBox({ id, terminalId, isShown }: { id: string; terminalId: string; isShown: boolean }) {
  const api = useApi()
  const actions = useActions()
  const settings = useApp((state) => state.settings)
  const box = useRef<HTMLDivElement>(null)
  const screen = useRef<Screen>(null)
  const [isSearching, setSearching] = useState(false)
  const [link, setLink] = useState<string | null>(null)

  useEffect(() => {
    const made = createScreen(api, terminalId, settings, {
      onExit: (exitCode) => actions.noteExit(id, exitCode),
      onLink: setLink,
      onSearch: () => setSearching(true),
      confirmPaste: (lines) => window.confirm(`Paste ${lines} lines? The program would run each line as it comes.`),
    })
    screen.current = made
    made.mount(box.current!)
    const observer = new ResizeObserver(() => box.current?.offsetParent && made.fit())
    observer.observe(box.current!)
    return () => {
      observer.disconnect()
      made.dispose()
    }
    // The screen lives as long as its terminal; settings reach it below.
  }, [terminalId])
  useEffect(() => screen.current?.apply(settings), [settings])
  useEffect(() => {
    if (isShown) screen.current?.focus()
  }, [isShown])

  return (
    <>
      {isSearching && (
        <form
          className="status"
          role="search"
          onSubmit={(event) => event.preventDefault()}
          onKeyDown={({ key }) => key === 'Escape' && setSearching(false)}
        >
          <Search {...icon} />
          <input
            className="input"
            autoFocus
            aria-label="Search in the terminal"
            onChange={({ target }) => screen.current?.search(target.value, true)}
            onKeyDown={({ key, shiftKey, currentTarget }) => key === 'Enter' && screen.current?.search(currentTarget.value, !shiftKey)}
          />
          <button type="button" className="icon-button" aria-label="Close the search" onClick={() => setSearching(false)}>
            <X {...icon} />
          </button>
        </form>
      )}
      {link && (
        <div className="status" role="alertdialog" aria-label="Open a link">
          <span>Open outside?</span>
          <span className="mono">{link.slice(0, 120)}</span>
          <span className="grow" />
          <button
            className="button"
            onClick={() => {
              void api.call('app.openExternal', { url: link })
              setLink(null)
            }}
          >
            Open
          </button>
          <button className="button" onClick={() => setLink(null)}>
            No
          </button>
        </div>
      )}
      <div className="terminal-box" ref={box} data-terminal={id} />
    </>
  )
}
