import { setTimeout as sleep } from 'node:timers/promises'
import { Menu, nativeImage, Tray } from 'electron'
import { followTrayHost } from './tray-host.ts'
import type { TrayAction, TrayItem } from './menu-model.ts'

/** The icon in the tray: there for as long as the person wants it and the desktop shows it. */
export interface AppTray {
  isShown(): boolean
  /** Waits for the desktop's answer, for a moment at most. @returns whether there is an icon */
  isSettled(): Promise<boolean>
  want(isWanted: boolean): void
  update(items: readonly TrayItem[]): void
}

/** A desktop that says nothing for so long has no tray for the one who waits. */
const answerWithinMs = 2_000

/** @param icon path of a PNG; where no icon can be made nothing is said and nothing is missing */
export function createTray(icon: string, onAction: (action: TrayAction) => void): AppTray {
  const state: { tray: Tray | null; isWanted: boolean; hasHost: boolean; items: readonly TrayItem[] } = { tray: null, isWanted: false, hasHost: false, items: [] }
  const draw = () => state.tray?.setContextMenu(menuOf(state.items, onAction))
  const settle = () => {
    if (state.isWanted && state.hasHost) {
      state.tray ??= makeIcon(icon, () => onAction({ kind: 'show' }))
      draw()
    } else {
      state.tray?.destroy()
      state.tray = null
    }
  }
  const answered = new Promise<void>((resolve) =>
    followTrayHost((isThere) => {
      state.hasHost = isThere
      settle()
      resolve()
    }),
  )
  return {
    isShown: () => state.tray !== null,
    async isSettled() {
      await Promise.race([answered, sleep(answerWithinMs, undefined, { ref: false })])
      return state.tray !== null
    },
    want(isWanted) {
      state.isWanted = isWanted
      settle()
    },
    update(items) {
      state.items = items
      draw()
    },
  }
}

function makeIcon(icon: string, onClick: () => void): Tray | null {
  const image = nativeImage.createFromPath(icon)
  if (image.isEmpty()) return null
  try {
    const tray = new Tray(image)
    tray.setToolTip('Paddock')
    tray.on('click', onClick)
    return tray
  } catch {
    return null
  }
}

function menuOf(items: readonly TrayItem[], onAction: (action: TrayAction) => void): Menu {
  return Menu.buildFromTemplate(
    items.map((item) => {
      if (item === 'separator') return { type: 'separator' as const }
      const { label, action } = item
      return action ? { label, click: () => onAction(action) } : { label, enabled: false }
    }),
  )
}
