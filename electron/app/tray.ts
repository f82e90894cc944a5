import { Menu, nativeImage, Tray } from 'electron'
import type { TrayAction, TrayItem } from './menu-model.ts'

/** The icon in the tray, where the desktop has one; without one nothing is said and nothing is missing. */
export interface TrayIcon {
  update(items: readonly TrayItem[]): void
  close(): void
}

/** @param icon path of a PNG or SVG rendered for the tray */
export function createTray(icon: string, onAction: (action: TrayAction) => void): TrayIcon {
  let tray: Tray | null = null
  try {
    tray = new Tray(nativeImage.createFromPath(icon))
    tray.setToolTip('Paddock')
    tray.on('click', () => onAction({ kind: 'show' }))
  } catch {
    tray = null
  }
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
