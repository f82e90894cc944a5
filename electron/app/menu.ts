import { Menu } from 'electron'
import type { WindowEvent } from '../../shared/contract/window-contract.ts'

type Command = Extract<WindowEvent, { type: 'command' }>['command']

/** The application menu. It has no shortcut that a program in a terminal may need; those are the page's own. */
export function setMenu(command: (name: Command) => void, quit: () => void): void {
  const item = (label: string, name: Command) => ({ label, click: () => command(name) })
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      {
        label: 'Paddock',
        submenu: [item('Open project…', 'open-project'), item('Command palette', 'palette'), item('Settings', 'settings'), item('Host', 'host'), item('About', 'about'), { type: 'separator' }, { label: 'Quit', click: quit }],
      },
      { label: 'View', submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'togglefullscreen' }] },
    ]),
  )
}
