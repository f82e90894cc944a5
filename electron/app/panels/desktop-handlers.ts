import { dialog } from 'electron'
import { isOpenableUrl } from '../../../shared/domain/openable-url.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { createDesktopActions } from '../../core/desktops/desktop-actions.ts'
import { createDesktopBoards } from '../../core/desktops/desktop-board.ts'
import { takeScreenshot } from '../../core/desktops/screenshot.ts'
import { saveFile } from '../../core/files/save-file.ts'
import type { IdleChannels } from '../../core/guest/idle-channels.ts'
import type { PanelHandlers, PanelServices } from '../panel-handlers.ts'
import { guardedPlaces } from './guarded-places.ts'

type Names = 'desktop.screenshot' | 'desktop.openUrl' | 'desktop.board' | 'desktop.pause' | 'desktop.follow'

/** What is done with a desktop besides showing it. */
export function createDesktopHandlers(services: PanelServices, channels: IdleChannels): Pick<PanelHandlers, Names> {
  const { core, window, desktopWindows, tell } = services
  const boards = createDesktopBoards(core.paths.desktopsFolder)
  const following = new Map<string, AbortController>()
  return {
    async 'desktop.screenshot'({ id }, { signal }) {
      // As it is now, and not as it will be when the person has chosen.
      const { png } = await channels.use(id, (guest) => takeScreenshot(guest, { signal }))
      const options = { title: 'Save the picture', defaultPath: `desktop-${id.slice(0, 12)}.png`, filters: [{ name: 'PNG', extensions: ['png'] }], properties: ['createDirectory', 'showOverwriteConfirmation'] as ('createDirectory' | 'showOverwriteConfirmation')[] }
      const own = desktopWindows.of(id)
      const parent = own?.isFocused() ? own : window.current()
      const { filePath } = await (parent ? dialog.showSaveDialog(parent, options) : dialog.showSaveDialog(options))
      if (!filePath) return null
      await saveFile(filePath, png, await guardedPlaces(services))
      return { to: filePath }
    },
    async 'desktop.openUrl'({ id, url }) {
      if (!isOpenableUrl(url)) throw new PaddockError({ code: 'usage', message: 'Only web addresses are opened.' })
      await channels.use(id, (guest) => createDesktopActions(async () => guest).launch(['chromium', url], guest.workdir))
      return {}
    },
    'desktop.board': ({ id }) => boards.read(id),
    async 'desktop.pause'({ id, isPaused }) {
      await boards.pause(id, isPaused)
      return {}
    },
    async 'desktop.follow'({ id }, { signal }) {
      // A page that was loaded anew, or whose window is gone, could not call its old one off.
      following.get(id)?.abort()
      const mine = new AbortController()
      following.set(id, mine)
      await boards.follow((sandboxId) => sandboxId === id && tell({ type: 'desktop-changed', sandboxId }), AbortSignal.any([signal, mine.signal]))
      if (following.get(id) === mine) following.delete(id)
      return {}
    },
  }
}
