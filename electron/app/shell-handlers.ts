import type { Core } from '../core/core.ts'
import type { Shells } from '../core/terminals/shells.ts'
import type { Terminal } from '../core/terminals/terminal.ts'
import type { WindowHandlers } from './window-handlers.ts'

/** The calls for further shells. Nothing of them is loaded before the first one is asked for. */
export interface ShellCalls {
  handlers: Pick<WindowHandlers, 'shell.open' | 'shell.list' | 'shell.arrange' | 'shell.close'>
  find(terminalId: string): Terminal<number | null> | undefined
  /** How many run. */
  count(): number
}

const firstSize = { cols: 80, rows: 24 }
/** From the last shell's end on: who counts a sandbox's connections to know whether it may end finds none of a window that has no shell. */
const idleMs = 5_000

export function createShellCalls(core: Pick<Core, 'guests'>): ShellCalls {
  const state: { shells: Promise<Shells> | null; loaded: Shells | null } = { shells: null, loaded: null }
  const load = async () => {
    const [{ createShells }, { createIdleChannels }] = await Promise.all([import('../core/terminals/shells.ts'), import('../core/guest/idle-channels.ts')])
    return (state.loaded = createShells(createIdleChannels({ open: async (id) => (await core.guests()).open(id) }, idleMs)))
  }
  return {
    handlers: {
      'shell.open': async ({ id, size = firstSize }) => (await (state.shells ??= load())).open(id, size),
      'shell.list': async ({ id }) => state.loaded?.list(id) ?? { shells: [], layout: null },
      async 'shell.arrange'({ id, layout }) {
        state.loaded?.arrange(id, layout)
        return {}
      },
      'shell.close': async ({ terminalId, force }) => ({ running: (await state.loaded?.close(terminalId, force)) ?? null }),
    },
    find: (terminalId) => state.loaded?.find(terminalId),
    count: () => state.loaded?.count() ?? 0,
  }
}
