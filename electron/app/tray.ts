import { Menu, nativeImage, Tray } from 'electron'
import { run } from '../core/process/run.ts'
import type { TrayAction, TrayItem } from './menu-model.ts'

/** The icon in the tray. */
export interface TrayIcon {
  update(items: readonly TrayItem[]): void
  close(): void
}

/** Whoever owns this name on the session's bus shows tray icons. Source: freedesktop.org, StatusNotifierItem. */
const trayHost = 'org.kde.StatusNotifierWatcher'
const askTimeoutMs = 2_000

/** Whether the desktop shows tray icons; Electron makes one all the same, and nobody would see it. */
export async function hasTrayHost(): Promise<boolean> {
  const asked = await run(['busctl', '--user', 'status', trayHost], { timeoutMs: askTimeoutMs })
  return asked.exitCode === 0
}

/** @param icon path of a PNG @returns null where it cannot be made: nothing is said and nothing is missing */
export function createTray(icon: string, onAction: (action: TrayAction) => void): TrayIcon | null {
  const image = nativeImage.createFromPath(icon)
  if (image.isEmpty()) return null
  let tray: Tray | null
  try {
    tray = new Tray(image)
  } catch {
    return null
  }
  tray.setToolTip('Paddock')
  tray.on('click', () => onAction({ kind: 'show' }))
  return {
    update(items) {
      tray?.setContextMenu(
        Menu.buildFromTemplate(
          items.map((item) => {
            if (item === 'separator') return { type: 'separator' as const }
            const { label, action } = item
            return action ? { label, click: () => onAction(action) } : { label, enabled: false }
          }),
        ),
      )
    },
    close() {
      tray?.destroy()
      tray = null
    },
  }
}
