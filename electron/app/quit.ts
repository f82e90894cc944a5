import { dialog } from 'electron'
import type { BrowserWindow } from 'electron'

export type QuitChoice = 'leave' | 'stop' | 'cancel'

/** Asks what becomes of running sandboxes; leaving them is the default. @param shells further ones in them, which end with the app */
export async function askAboutRunning(count: number, shells: number, parent: BrowserWindow | null): Promise<QuitChoice> {
  const options = {
    type: 'question' as const,
    message: count === 1 ? 'A sandbox is running.' : `${count} sandboxes are running.`,
    detail: `Left running, they can be attached when Paddock starts again.${shells === 0 ? '' : ' Shells that you opened beside their terminals end.'}`,
    buttons: ['Leave running', 'Stop and quit', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
  }
  const { response } = await (parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options))
  return (['leave', 'stop', 'cancel'] as const)[response] ?? 'cancel'
}

/** Says that a sandbox may still run after it was told to stop. @returns whether to quit all the same */
export async function askToQuitAnyway(parent: BrowserWindow | null): Promise<boolean> {
  const options = {
    type: 'warning' as const,
    message: 'Not every sandbox could be stopped.',
    detail: 'What still runs goes on when Paddock quits.',
    buttons: ['Stay', 'Quit anyway'],
    defaultId: 0,
    cancelId: 0,
  }
  const { response } = await (parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options))
  return response === 1
}
