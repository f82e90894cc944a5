import { join } from 'node:path'
import { BrowserWindow } from 'electron'
import type { WindowEvent } from '../../shared/contract/window-contract.ts'
import { channels } from '../ipc/channels.ts'
import { appOrigin } from './app-protocol.ts'
import { recallBounds, rememberBounds } from './window-bounds.ts'

/** The one window; made when first shown, and again after it was closed. */
export interface MainWindow {
  /** Shows and focuses the window; settles when its page is loaded. */
  show(): Promise<void>
  /** Reaches the page if there is one; a page that comes later asks for all it needs. */
  send(event: WindowEvent): void
  current(): BrowserWindow | null
}

export interface MainWindowOptions {
  preload: string
  boundsFile: string
  /** Asked when the person closes the window; true hides it and keeps the app. */
  keepsRunning: () => boolean
  /** The person comes back to the window. */
  onFocus: () => void
}

/** A page that crashes this often within a minute is not loaded again. */
const maxReloads = 3
const forgiveAfterMs = 60_000

export function createMainWindow({ preload, boundsFile, keepsRunning, onFocus }: MainWindowOptions): MainWindow {
  const state: { window: BrowserWindow | null; opening: Promise<void> | null; crashes: number[] } = { window: null, opening: null, crashes: [] }

  const open = async () => {
    const window = new BrowserWindow({
      ...(await recallBounds(boundsFile)),
      minWidth: 720,
      minHeight: 480,
      show: false,
      backgroundColor: '#1b1c1e',
      title: 'Paddock',
      autoHideMenuBar: true,
      webPreferences: { preload: join(preload), contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false, spellcheck: false },
    })
    state.window = window
    rememberBounds(window, boundsFile)
    window.once('ready-to-show', () => window.show())
    window.on('close', (event) => {
      if (!keepsRunning()) return
      event.preventDefault()
      window.hide()
    })
    window.on('focus', onFocus)
    window.on('closed', () => {
      state.window = null
    })
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit') return
      state.crashes = [...state.crashes.filter((at) => Date.now() - at < forgiveAfterMs), Date.now()]
      if (state.crashes.length <= maxReloads && !window.isDestroyed()) window.reload()
    })
    await window.loadURL(`${appOrigin}/`)
  }

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
  }
}
