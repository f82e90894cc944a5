import { AppWindow, Camera, Ellipsis, Eye, EyeOff, Globe, Keyboard, Maximize, Minimize, PanelLeftClose, PanelLeftOpen, Pause, Play, Scaling, X } from 'lucide-react'
import type { RefObject } from 'react'
import type { DesktopView } from '../../../shared/domain/desktop-view.ts'
import type { ShownPlace } from '../../store/desktops-slice.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useFullScreen } from '../../ui/use-full-screen.ts'
import { releaseKeys } from './desktop-keys.ts'
import type { DesktopScreen, ScreenState } from './desktop-screen.ts'
import { keysyms } from '../../../shared/domain/keysyms.ts'

export interface DesktopBarProps {
  id: string
  place: ShownPlace
  state: ScreenState
  screen: RefObject<DesktopScreen | null>
  onFillScreen: () => void
  /** Gets the focus when the desktop gives it back. */
  first: RefObject<HTMLButtonElement | null>
  hasKeys: boolean
  onOpenUrl: () => void
}

/** Keys that this machine's own desktop takes before a window sees them. */
const specialKeys: readonly [string, readonly number[]][] = [
  ['Super', [keysyms.super]],
  ['Alt+Tab', [keysyms.alt, keysyms.tab]],
  ['Alt+F4', [keysyms.alt, keysyms.f4]],
  ['Ctrl+Alt+T', [keysyms.control, keysyms.alt, 't'.charCodeAt(0)]],
  ['Ctrl+Escape', [keysyms.control, keysyms.escape]],
]
const scales: readonly [DesktopView['scale'], string][] = [['fit', 'Scale to fit'], ['follow', 'Resize the desktop to the pane'], ['full', 'One pixel for each pixel']]
const qualities: readonly [DesktopView['quality'], string][] = [['low', 'Low quality, fewer bytes'], ['medium', 'Medium quality'], ['high', 'High quality']]
const chosen = (isChosen: boolean) => (isChosen ? { keys: '✓' } : {})

/** What is done with a desktop besides working in it. */
export function DesktopBar({ id, place, state, screen, first, hasKeys, onFillScreen, onOpenUrl }: DesktopBarProps) {
  const view = useApp((store) => store.desktopView)
  const isPaused = useApp(({ desktopBoards }) => desktopBoards[id]?.isPaused ?? false)
  const { changeDesktopView, pauseDesktop, saveScreenshot } = useActions()
  const isShown = state.kind === 'shown'
  const canPress = isShown && !view.isViewOnly
  const isWhole = useFullScreen() !== null
  const press = (pressing: (shown: DesktopScreen) => void) => {
    if (screen.current === null) return
    pressing(screen.current)
    screen.current.focus()
  }
  return (
    <div className="pane-head desktop-bar" role="toolbar" aria-label="Desktop">
      <span className="ellipsis">Desktop{isShown && ` · ${state.width} × ${state.height}`}</span>
      {view.isViewOnly ? (
        <span className="desktop-hint quiet">View only</span>
      ) : (
        hasKeys && (
          <button type="button" className="desktop-hint" onMouseDown={(event) => event.preventDefault()} onClick={() => first.current?.focus()}>
            {releaseKeys} frees the keyboard
          </button>
        )
      )}
      {isPaused && <span className="desktop-hint warn">Agents paused</span>}
      <span className="grow" />
      <IconButton icon={isPaused ? Play : Pause} label={isPaused ? 'Let agents go on' : 'Pause agents that work here through MCP'} onClick={() => void pauseDesktop(id, !isPaused)} />
      <IconButton
        ref={first}
        icon={view.isViewOnly ? EyeOff : Eye}
        label={view.isViewOnly ? 'Work in it again' : 'View only'}
        onClick={() => changeDesktopView({ isViewOnly: !view.isViewOnly })}
      />
      <Menu items={[{ text: 'Ctrl+Alt+Del', isDisabled: !canPress, onSelect: () => press((shown) => shown.pressCtrlAltDel()) }, ...specialKeys.map(([text, keys]) => ({ text, isDisabled: !canPress, onSelect: () => press((shown) => shown.press(keys)) }))]}>
        <button type="button" className="icon-button" aria-label="Send keys" title="Send keys">
          <Icon of={Keyboard} />
        </button>
      </Menu>
      <Menu items={scales.map(([scale, text]) => ({ text, ...chosen(view.scale === scale), onSelect: () => changeDesktopView({ scale }) }))}>
        <button type="button" className="icon-button" aria-label="Size" title="Size">
          <Icon of={Scaling} />
        </button>
      </Menu>
      {isWhole ? (
        // Escape is the desktop's there.
        <IconButton icon={Minimize} label="Leave full screen" onClick={() => void document.exitFullscreen()} />
      ) : (
        <IconButton icon={Maximize} label="Full screen" onClick={onFillScreen} />
      )}
      <Menu
        items={[
          ...qualities.map(([quality, text]) => ({ text, ...chosen(view.quality === quality), onSelect: () => changeDesktopView({ quality }) })),
          null,
          { text: 'Save a picture…', icon: Camera, isDisabled: !isShown, onSelect: () => void saveScreenshot(id) },
          { text: 'Open an address…', icon: Globe, isDisabled: !isShown, onSelect: onOpenUrl },
          null,
          { text: view.hasFigures ? 'Hide frames and bandwidth' : 'Show frames and bandwidth', onSelect: () => changeDesktopView({ hasFigures: !view.hasFigures }) },
        ]}
      >
        <button type="button" className="icon-button" aria-label="More for the desktop">
          <Icon of={Ellipsis} />
        </button>
      </Menu>
      <PlaceButtons id={id} place={place} />
    </div>
  )
}

/** Where else the desktop can be. */
function PlaceButtons({ id, place }: { id: string; place: ShownPlace }) {
  const { placeDesktop, openDesktopWindow, closeDesktopWindow } = useActions()
  // Its own window is closed by the window's own button.
  if (place === 'window') return <IconButton icon={PanelLeftOpen} label="Show it in the main window" onClick={() => void closeDesktopWindow(id)} />
  return (
    <>
      <IconButton icon={AppWindow} label="Show it in a window of its own" onClick={() => void openDesktopWindow(id)} />
      <IconButton
        icon={place === 'alone' ? PanelLeftOpen : PanelLeftClose}
        label={place === 'alone' ? 'Show the terminal too' : 'Only the desktop'}
        onClick={() => placeDesktop(id, place === 'alone' ? 'beside' : 'alone')}
      />
      <IconButton icon={X} label="Hide the desktop" onClick={() => placeDesktop(id, 'hidden')} />
    </>
  )
}
