import { dialog } from 'electron'
import type { BrowserWindow } from 'electron'

export type QuitChoice = 'leave' | 'stop' | 'cancel'

/** Asks what becomes of running sandboxes; leaving them is the default. */
export async function askAboutRunning(count: number, parent: BrowserWindow | null): Promise<QuitChoice> {
  const options = {
    type: 'question' as const,
    message: count === 1 ? 'A sandbox is running.' : `${count} sandboxes are running.`,
    detail: 'Left running, they can be attached when Paddock starts again.',
    buttons: ['Leave running', 'Stop and quit', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
  }
  const { response } = await (parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options))
  return (['leave', 'stop', 'cancel'] as const)[response] ?? 'cancel'
}
