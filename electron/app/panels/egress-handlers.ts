import { dialog } from 'electron'
import { saveFile } from '../../core/files/save-file.ts'
import type { PanelHandlers, PanelServices } from '../panel-handlers.ts'
import { guardedPlaces } from './guarded-places.ts'

/** What a person is asked about sandboxes with an allowlist, and the log of what they reached. */
export function createEgressHandlers(services: PanelServices): Pick<PanelHandlers, 'egress.follow' | 'egress.export'> {
  const { core, tell, window } = services
  let following: AbortController | undefined
  return {
    async 'egress.follow'(_input, { signal }) {
      // A page that was loaded anew could not call its old one off.
      following?.abort()
      const mine = (following = new AbortController())
      await core.followPrompts((prompts) => tell({ type: 'egress-prompts', prompts }), AbortSignal.any([signal, mine.signal]))
      return {}
    },
    async 'egress.export'({ id }, context) {
      const parent = window.current()
      const options = { title: 'Save the requests', defaultPath: `egress-${id.slice(0, 12)}.jsonl`, properties: ['createDirectory', 'showOverwriteConfirmation'] as ('createDirectory' | 'showOverwriteConfirmation')[] }
      const { filePath } = await (parent ? dialog.showSaveDialog(parent, options) : dialog.showSaveDialog(options))
      if (!filePath) return null
      const { requests } = await core.handlers['egress.requests']({ id, after: 0 }, context)
      const lines = requests.map((request) => `${JSON.stringify(request)}\n`).join('')
      await saveFile(filePath, Buffer.from(lines), await guardedPlaces(services))
      return { to: filePath }
    },
  }
}
