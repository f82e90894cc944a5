import { useCallback, useEffect, useRef, useState } from 'react'
import { Unreachable } from '../panels/unreachable.tsx'
import type { ShownPlace } from '../../store/desktops-slice.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { AgentMark } from './agent-mark.tsx'
import { DesktopBar } from './desktop-bar.tsx'
import { registerDesktop } from './desktop-handles.ts'
import { releaseKeys } from './desktop-keys.ts'
import { NoDesktop } from './no-desktop.tsx'
import { UrlBar } from './url-bar.tsx'
import { useDesktopBoard } from './use-desktop-board.ts'
import { useDesktop } from './use-desktop.ts'
import { useFillScreen } from './use-fill-screen.ts'
import './desktop.css'

/** The desktop of a sandbox, or why it has none. */
export default function DesktopPane({ id, place, isShown }: { id: string; place: ShownPlace; isShown: boolean }) {
  const sandbox = useApp(({ sandboxes }) => sandboxes?.find((one) => one.id === id))
  return (
    <section className="desktop-pane" aria-label="Desktop" data-place={place}>
      {sandbox && !sandbox.hasDesktop ? (
        <NoDesktop sandbox={sandbox} />
      ) : (
        <Unreachable sandbox={sandbox} what="Its desktop">
          {() => <Desktop key={id} id={id} place={place} isShown={isShown} />}
        </Unreachable>
      )}
    </section>
  )
}

function Desktop({ id, place: where, isShown }: { id: string; place: ShownPlace; isShown: boolean }) {
  const pane = useRef<HTMLDivElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const keys = useRef<HTMLTextAreaElement>(null)
  const bar = useRef<HTMLButtonElement>(null)
  const [hasKeys, setHasKeys] = useState(false)
  const release = useCallback(() => bar.current?.focus(), [])
  const { state, screen, figures } = useDesktop(id, isShown, { place, keys }, release)
  const board = useDesktopBoard(id, isShown)
  const { openInDesktop } = useActions()
  const [asksUrl, setAsksUrl] = useState(false)
  const fillScreen = useFillScreen(pane, screen)
  useEffect(() => (isShown ? registerDesktop(id, { fillScreen, askUrl: () => setAsksUrl(true) }) : undefined), [id, isShown, fillScreen])
  return (
    <div ref={pane} className="desktop">
      <DesktopBar id={id} place={where} state={state} screen={screen} onFillScreen={fillScreen} first={bar} hasKeys={hasKeys} onOpenUrl={() => setAsksUrl(true)} />
      {asksUrl && (
        <UrlBar
          onOpen={(url) => {
            setAsksUrl(false)
            void openInDesktop(id, url)
          }}
          onClose={() => setAsksUrl(false)}
        />
      )}
      <div className="desktop-screen" data-state={state.kind} data-keys={hasKeys} onMouseDown={({ target }) => target === place.current && screen.current?.focus()}>
        <div ref={place} className="desktop-place" />
        <textarea
          ref={keys}
          className="desktop-keys"
          aria-label={`Keys for the desktop; ${releaseKeys} gives them back`}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onFocus={() => setHasKeys(true)}
          onBlur={() => setHasKeys(false)}
        />
        {state.kind === 'connecting' && (
          <p className="desktop-note quiet" role="status">
            <StateGlyph kind="working" /> {state.isAgain ? 'Connecting again…' : 'Connecting to the desktop…'}
          </p>
        )}
        {state.kind === 'failed' && (
          <div className="desktop-note">
            <ErrorNotice what="The desktop is not shown." error={state.error}>
              <Button onClick={() => screen.current?.reconnect()}>Connect again</Button>
            </ErrorNotice>
          </div>
        )}
        <AgentMark act={board?.act ?? null} toPane={(at) => screen.current?.toPane(at) ?? null} />
        {figures && (
          <output className="desktop-figures" aria-label="Frames and bandwidth">
            {figures.framesPerSecond.toFixed(0)} fps · {(figures.bytesPerSecond / 1_024).toFixed(0)} KiB/s
          </output>
        )}
      </div>
    </div>
  )
}
