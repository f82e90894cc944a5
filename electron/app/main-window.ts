import { BrowserWindow, dialog, nativeTheme } from 'electron'
import type { WindowEvent } from '../../shared/contract/window-contract.ts'
import { channels } from '../ipc/channels.ts'
import { appOrigin } from './app-origin.ts'
import { pagePreferences } from './page-preferences.ts'
import { recallBounds, rememberBounds } from './window-bounds.ts'

/** The main window; made when first shown, and again after it was closed. */
export interface MainWindow {
  /** Shows and focuses the window; settles when its page is loaded. */
  show(): Promise<void>
  /** Reaches the page if there is one; a page that comes later asks for all it needs. */
  send(event: WindowEvent): void
  current(): BrowserWindow | null
  isVisible(): boolean
  /** Whether the person has the window before them. */
  isWatched(): boolean
}

export interface MainWindowOptions {
  preload: string
  /** Path of a PNG, for desktops that do not find the icon by the window's class. */
  icon: string
  boundsFile: string
  /** Asked when the person closes the window; true hides it and keeps the app. */
  keepsRunning: () => boolean
  /** The person comes back to the window. */
  onFocus: () => void
  /** The window was closed, also where that only hides it. */
  onClose: () => void
}

/** A page that crashes this often within a minute is not loaded again. */
const maxReloads = 3
const forgiveAfterMs = 60_000
/** A focus so soon is the window's own coming, and its page has just asked for everything. */
const openingMs = 2_000

export function createMainWindow({ preload, icon, boundsFile, keepsRunning, onFocus, onClose }: MainWindowOptions): MainWindow {
  const state: { window: BrowserWindow | null; opening: Promise<void> | null; crashes: number[] } = { window: null, opening: null, crashes: [] }

  const open = async () => {
    const window = new BrowserWindow({
      ...recallBounds(boundsFile),
      minWidth: 720,
      minHeight: 480,
      show: false,
      // The page's own surface, so that nothing flashes before its first frame; see renderer/app/tokens.css.
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#17181a' : '#ffffff',
      title: 'Paddock',
      icon,
      autoHideMenuBar: true,
      // Not throttled while hidden: a program is paused until what it printed is on the screen.
      webPreferences: { ...pagePreferences(preload), backgroundThrottling: false },
    })
    state.window = window
    rememberBounds(window, boundsFile)
    window.once('ready-to-show', () => window.show())
    window.on('close', (event) => {
      if (!keepsRunning()) return
      event.preventDefault()
      window.hide()
      onClose()
    })
    const openedAt = Date.now()
    window.on('focus', () => void (Date.now() - openedAt > openingMs && onFocus()))
    window.on('closed', () => {
      state.window = null
      onClose()
    })
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit') return
      state.crashes = [...state.crashes.filter((at) => Date.now() - at < forgiveAfterMs), Date.now()]
      if (window.isDestroyed()) return
      if (state.crashes.length <= maxReloads) return window.reload()
      // A blank window would be kept in the tray; the next show makes a new one.
      window.destroy()
      dialog.showErrorBox('Paddock’s window keeps crashing', 'The sandboxes go on. Start Paddock again to try once more.')
    })
    await window.loadURL(`${appOrigin}/`)
  }

  const isVisible = () => state.window !== null && state.window.isVisible() && !state.window.isMinimized()

  return {
    async show() {
      if (state.window) {
        if (state.window.isMinimized()) state.window.restore()
        state.window.show()
        state.window.focus()
      } else {
        state.opening ??= open().finally(() => {
          state.opening = null
        })
      }
      await state.opening
    },
    send(event) {
      if (state.window && !state.window.isDestroyed()) state.window.webContents.send(channels.event, event)
    },
    current: () => state.window,
    isVisible,
    isWatched: () => isVisible() && state.window!.isFocused(),
  }
}
