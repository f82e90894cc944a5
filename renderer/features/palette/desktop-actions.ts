import { AppWindow, Camera, EyeOff, Globe, Maximize, MonitorX, PanelLeftClose, PanelLeftOpen, Pause } from 'lucide-react'
import { desktopPlaceOf } from '../../store/desktops-slice.ts'
import { sandboxInSight } from '../../store/shells-slice.ts'
import type { AppState } from '../../store/store.ts'
import { desktopHandle } from '../desktop/desktop-handles.ts'
import type { PaletteItem } from './palette-items.ts'

/** What can be done with the desktop of the sandbox in sight. */
export function desktopActions(state: AppState): PaletteItem[] {
  const id = sandboxInSight(state)
  const sandbox = state.sandboxes?.find((one) => one.id === id)
  if (id === null || !sandbox?.hasDesktop) return []
  const place = desktopPlaceOf(state, sandbox)
  const { isViewOnly } = state.desktopView
  const isPaused = state.desktopBoards[id]?.isPaused ?? false
  const drawn = desktopHandle(id)
  const add = (text: string, icon: PaletteItem['icon'], run: () => void): PaletteItem => ({ id: text, group: 'Desktop', text, icon, run })
  return [
    ...(place === 'beside' ? [] : [add('Show the desktop beside the terminal', PanelLeftOpen, () => state.placeDesktop(id, 'beside'))]),
    ...(place === 'alone' ? [] : [add('Show only the desktop', PanelLeftClose, () => state.placeDesktop(id, 'alone'))]),
    add(place === 'window' ? 'Go to the desktop’s window' : 'Show the desktop in a window of its own', AppWindow, () => void state.openDesktopWindow(id)),
    ...(place === 'hidden' ? [] : [add('Hide the desktop', MonitorX, () => state.placeDesktop(id, 'hidden'))]),
    ...(drawn
      ? [
          add('Show the desktop full screen', Maximize, drawn.fillScreen),
          add(isViewOnly ? 'Work in the desktop again' : 'View the desktop only', EyeOff, () => state.changeDesktopView({ isViewOnly: !isViewOnly })),
          add('Open an address in the desktop…', Globe, drawn.askUrl),
        ]
      : []),
    add('Save a picture of the desktop…', Camera, () => void state.saveScreenshot(id)),
    add(isPaused ? 'Let agents work in the desktop again' : 'Pause agents that work in the desktop', Pause, () => void state.pauseDesktop(id, !isPaused)),
  ]
}
