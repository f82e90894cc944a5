import { app } from 'electron'
import { mcpActivity } from '../../../shared/domain/mcp-activity.ts'
import { followJournals, readJournals } from '../../core/mcp/journal-reader.ts'
import type { PanelHandlers, PanelServices } from '../panel-handlers.ts'
import { paddockCommand } from './paddock-command.ts'

/** Who is connected by `paddock mcp`, and how one gets connected. */
export function createMcpHandlers({ core, tell, bundle }: PanelServices): Pick<PanelHandlers, 'mcp.command' | 'mcp.list' | 'mcp.follow'> {
  let following: AbortController | undefined
  return {
    'mcp.command': async () => paddockCommand({ execPath: process.execPath, env: process.env, isPackaged: app.isPackaged, bundle }),
    'mcp.list': async (of) => mcpActivity(await readJournals(core.paths.mcpFolder), of),
    async 'mcp.follow'(_input, { signal }) {
      // A page that was loaded anew could not call its old one off.
      following?.abort()
      const mine = (following = new AbortController())
      await followJournals(core.paths.mcpFolder, () => tell({ type: 'mcp-changed' }), AbortSignal.any([signal, mine.signal]))
      return {}
    },
  }
}
