import { dialog, type OpenDialogOptions } from 'electron'
import type { Core } from '../core/core.ts'
import type { MainWindow } from './main-window.ts'
import type { WindowHandlers } from './window-handlers.ts'

/** The first path that the person chose in the system's dialog; null when they closed it. */
export async function pickPath(window: MainWindow, options: OpenDialogOptions): Promise<string | null> {
  const parent = window.current()
  const { filePaths } = await (parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options))
  return filePaths[0] ?? null
}

/**
 * Import and export for the window: the person chooses where in the system's dialog, never the page, which could be
 * another's. No dialog of Linux offers files and folders at once.
 */
export function createProfileDialogs(core: Core, window: MainWindow): Pick<WindowHandlers, 'profile.pickImport' | 'profile.pickExport'> {
  return {
    async 'profile.pickImport'({ from }, context) {
      const isFile = from === 'file'
      const title = isFile ? 'Import a Containerfile or devcontainer.json' : 'Import a folder with a Containerfile or devcontainer.json'
      // devcontainer.json lies in a hidden folder.
      const path = await pickPath(window, { title, buttonLabel: 'Import', properties: [isFile ? 'openFile' : 'openDirectory', 'showHiddenFiles'] })
      return path === null ? null : core.handlers['profile.import']({ path, isNumbered: true }, context)
    },
    async 'profile.pickExport'({ name }, context) {
      const folder = await pickPath(window, { title: `Export ${name} into a folder`, buttonLabel: 'Export here', properties: ['openDirectory', 'createDirectory'] })
      return folder === null ? null : core.handlers['profile.export']({ name, folder }, context)
    },
  }
}
