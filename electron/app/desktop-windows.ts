import { BrowserWindow, nativeTheme, type WebContents } from 'electron'
import type { desktopWindowContract } from '../../shared/contract/desktop-window-contract.ts'
import type { HandlersOf } from '../../shared/contract/dispatch.ts'
import type { WindowEvent } from '../../shared/contract/window-contract.ts'
import { type ShownDesktop, toFragment } from '../../shared/domain/desktop-view.ts'
import { nameOf } from '../../shared/domain/sandbox-tabs.ts'
import type { Sandbox } from '../../shared/domain/sandbox.ts'
import { PaddockError } from '../../shared/errors/paddock-error.ts'
import { channels } from '../ipc/channels.ts'
import { appOrigin } from './app-origin.ts'
import { newsOfDesktop } from './desktop-news.ts'
import { pagePreferences } from './page-preferences.ts'

/** Desktops in windows of their own, one for each sandbox at most. The main window is none of them; they end with it. */
export interface DesktopWindows {
  handlers: HandlersOf<typeof desktopWindowContract>
  /** Reaches each page with what is news for it. */
  send(event: WindowEvent): void
  of(sandboxId: string): BrowserWindow | null
  /** The sandbox whose desktop a page shows; null for a page that is no such window's. */
  sandboxOf(page: WebContents): string | null
  closeAll(): void
}

export interface DesktopWindowOptions {
  preload: string
  /** Path of a PNG, for desktops that do not find the icon by the window's class. */
  icon: string
  sandboxes: () => readonly Sandbox[]
  onChange: (ids: string[]) => void
  /** Shows a sandbox in the main window. */
  showSandbox: (id: string) => void
}

/** A new desktop with the bar above it, pixel for pixel. */
const size = { width: 1280, height: 836, useContentSize: true, minWidth: 480, minHeight: 320 }

export function createDesktopWindows({ preload, icon, sandboxes, onChange, showSandbox }: DesktopWindowOptions): DesktopWindows {
  const windows = new Map<string, BrowserWindow>()
  /** Also of windows that are closing: a page is never taken for the main window's. */
  const pages = new WeakMap<WebContents, string>()
  const ids = () => [...windows.keys()]

  const open = (shown: ShownDesktop, project: string | null) => {
    const { id } = shown
    const window = new BrowserWindow({
      ...size,
      show: false,
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#17181a' : '#ffffff',
      title: `${nameOf(project, id)} – desktop – Paddock`,
      icon,
      // Throttled while hidden, and not connected: nothing is paused by that.
      webPreferences: pagePreferences(preload),
    })
    windows.set(id, window)
    pages.set(window.webContents, id)
    // Alt and all other keys are the desktop's.
    window.removeMenu()
    window.on('page-title-updated', (event) => event.preventDefault())
    window.once('ready-to-show', () => window.show())
    // The desktop is shown in its tab again, where it can be given a window once more.
    window.webContents.on('render-process-gone', () => !window.isDestroyed() && window.destroy())
    window.on('closed', () => {
      windows.delete(id)
      onChange(ids())
    })
    onChange(ids())
    window.loadURL(`${appOrigin}/desktop.html${toFragment(shown)}`).catch(() => !window.isDestroyed() && window.destroy())
  }

  return {
    handlers: {
      async 'desktop.openWindow'(shown) {
        const known = windows.get(shown.id)
        if (known) {
          front(known)
          return {}
        }
        const sandbox = sandboxes().find(({ id }) => id === shown.id)
        if (sandbox?.state !== 'running' || !sandbox.hasDesktop) throw new PaddockError({ code: 'desktop-unavailable', message: 'This sandbox has no desktop, or does not run any more.' })
        open(shown, sandbox.project)
        return {}
      },
      async 'desktop.closeWindow'({ id }) {
        windows.get(id)?.close()
        showSandbox(id)
        return {}
      },
      'desktop.windows': async () => ids(),
      'desktop.sandbox': async ({ id: wanted }) => sandboxes().find(({ id }) => id === wanted) ?? null,
    },
    send(event) {
      for (const [id, window] of windows) {
        const news = newsOfDesktop(event, id)
        if (news !== null && !window.isDestroyed()) window.webContents.send(channels.event, news)
      }
    },
    of: (sandboxId) => windows.get(sandboxId) ?? null,
    sandboxOf: (page) => pages.get(page) ?? null,
    closeAll: () => windows.forEach((window) => window.close()),
  }
}

function front(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
