import {
  activatePane, activePane, addPane, fitLayout, nextPane, ownPane, plainLayout, removePane, renamePane, type ShellLayout, type ShellPlace,
} from '../../shared/domain/shell-layout.ts'
import { leavesItself } from '../../shared/domain/shell-words.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import type { AppState, MakeSlice } from './slice.ts'

/** A shell beside a sandbox's own terminal, in a pane of its own. */
export interface Shell {
  /** Its pane: the terminal's id once it is open. */
  pane: string
  /** null while it is being opened, and when that failed. */
  terminalId: string | null
  number: number | null
  /** When it was opened here; 0 when a page before this one did. */
  openedAt: number
  /** How it ended, if it stays: an exit code, or null when its connection broke. */
  exitCode: number | null | undefined
  error: ErrorReport | null
  /** The program that would end with it, while closing it waits for a yes. */
  asks: string | null
}

/** A sandbox's further shells and how all its terminals are arranged. */
export interface ShellGroup {
  layout: ShellLayout
  shells: Readonly<Record<string, Shell>>
}

export interface ShellsSlice {
  /** By sandbox; one without further shells has no entry. */
  shells: Readonly<Record<string, ShellGroup>>
  openShell(id: string, place: ShellPlace): Promise<void>
  /** Opens one anew where one failed or ended. */
  renewShell(id: string, pane: string): Promise<void>
  /** Closes one; asks first where a program runs in it, unless that was agreed to. */
  closeShell(id: string, pane: string, isAgreed?: boolean): Promise<void>
  keepShell(id: string, pane: string): void
  noteShellExit(id: string, pane: string, exitCode: number | null): void
  activatePane(id: string, pane: string): void
  /** Goes to the next or the previous terminal of a sandbox. */
  stepPane(id: string, step: 1 | -1): void
  /** Finds the shells that a page before this one has opened. */
  loadShells(id: string): Promise<void>
  /** A sandbox's tab is closed: nobody reads their last words any more. */
  forgetShells(id: string): void
}

/** The running sandbox in sight, in which a shell can be opened. */
export function sandboxInSight({ view, sandboxes }: AppState): string | null {
  return view.kind === 'sandbox' && sandboxes?.some(({ id, state }) => id === view.id && state === 'running') ? view.id : null
}

/** The pane of a sandbox that gets the keys. */
export function paneInSight({ shells }: Pick<ShellsSlice, 'shells'>, id: string): string {
  const group = shells[id]
  return group ? activePane(group.layout) : ownPane
}

export const makeShellsSlice: MakeSlice<ShellsSlice> = (api) => (set, get) => {
  const counter = { opened: 0 }
  const groupOf = (id: string): ShellGroup => get().shells[id] ?? { layout: plainLayout, shells: {} }
  /** @param group without a shell it is none */
  const setGroup = (id: string, group: ShellGroup) => {
    const { [id]: before, ...others } = get().shells
    const isEmpty = Object.keys(group.shells).length === 0
    set({ shells: isEmpty ? others : { ...others, [id]: group } })
    if (!isEmpty && before?.layout !== group.layout) void api.call('shell.arrange', { id, layout: group.layout })
  }
  const update = (id: string, pane: string, change: Partial<Shell>) => {
    const { layout, shells } = groupOf(id)
    if (shells[pane]) setGroup(id, { layout, shells: { ...shells, [pane]: { ...shells[pane], ...change } } })
  }
  const remove = (id: string, pane: string) => {
    const { layout, shells } = groupOf(id)
    const { [pane]: _gone, ...others } = shells
    setGroup(id, { layout: removePane(layout, pane), shells: others })
  }
  const newShell = (pane: string): Shell => ({ pane, terminalId: null, number: null, openedAt: Date.now(), exitCode: undefined, error: null, asks: null })
  /** Those that this page closed: a list that was made before may still have them. */
  const dropped = new Set<string>()
  const close = (terminalId: string | null) => {
    if (terminalId === null) return
    dropped.add(terminalId)
    void api.call('shell.close', { terminalId, force: true })
  }

  const connect = async (id: string, pane: string) => {
    const size = get().terminalSize
    const reply = await api.call('shell.open', { id, ...(size && { size }) })
    const { layout, shells } = groupOf(id)
    const waiting = shells[pane]
    if (!waiting) {
      // Closed while it was being opened; a list may have brought it meanwhile.
      if (!reply.ok) return
      close(reply.value.terminalId)
      return remove(id, reply.value.terminalId)
    }
    if (!reply.ok) return update(id, pane, { error: reply.error })
    const { terminalId, number } = reply.value
    const { [pane]: _before, ...others } = shells
    setGroup(id, {
      // A page that came anew may have found it meanwhile.
      layout: renamePane(removePane(layout, terminalId), pane, terminalId),
      shells: { ...others, [terminalId]: { ...waiting, pane: terminalId, terminalId, number, openedAt: Date.now() } },
    })
  }

  return {
    shells: {},
    async openShell(id, place) {
      const { layout, shells } = groupOf(id)
      const pane = `new ${++counter.opened}`
      setGroup(id, { layout: addPane(layout, pane, place), shells: { ...shells, [pane]: newShell(pane) } })
      await connect(id, pane)
    },
    async renewShell(id, pane) {
      const { layout, shells } = groupOf(id)
      const { [pane]: before, ...others } = shells
      if (!before) return
      close(before.terminalId)
      const fresh = `new ${++counter.opened}`
      setGroup(id, { layout: renamePane(layout, pane, fresh), shells: { ...others, [fresh]: newShell(fresh) } })
      await connect(id, fresh)
    },
    async closeShell(id, pane, isAgreed = false) {
      const shell = groupOf(id).shells[pane]
      if (!shell) return
      const isOver = shell.exitCode !== undefined || shell.terminalId === null
      if (isOver || isAgreed) {
        close(shell.terminalId)
        return remove(id, pane)
      }
      const reply = await api.call('shell.close', { terminalId: shell.terminalId!, force: false })
      if (!reply.ok) return get().report('The shell could not be closed.', reply.error)
      if (reply.value.running === null) return remove(id, pane)
      const { layout } = groupOf(id)
      setGroup(id, { ...groupOf(id), layout: activatePane(layout, pane) })
      update(id, pane, { asks: reply.value.running })
    },
    keepShell: (id, pane) => update(id, pane, { asks: null }),
    noteShellExit(id, pane, exitCode) {
      const shell = groupOf(id).shells[pane]
      if (!shell) return
      // Of one from before it is not known how long it ran: its last words may be unread.
      if (!leavesItself(exitCode, shell.openedAt === 0 ? 0 : Date.now() - shell.openedAt)) {
        update(id, pane, { exitCode, asks: null })
        return get().announce('A shell ended.')
      }
      close(shell.terminalId)
      remove(id, pane)
    },
    activatePane(id, pane) {
      const group = get().shells[id]
      const layout = group && activatePane(group.layout, pane)
      if (group && layout && layout !== group.layout) setGroup(id, { ...group, layout })
    },
    stepPane(id, step) {
      const group = get().shells[id]
      if (group) get().activatePane(id, nextPane(group.layout, step))
    },
    async loadShells(id) {
      const reply = await api.call('shell.list', { id })
      if (!reply.ok || reply.value.shells.length === 0) return
      const { shells: listed, layout } = reply.value
      const known = groupOf(id).shells
      const kept = listed.filter(({ terminalId }) => !known[terminalId] && !dropped.has(terminalId)).map(({ terminalId, number }): Shell => ({ ...newShell(terminalId), terminalId, number, openedAt: 0 }))
      const shells = { ...known, ...Object.fromEntries(kept.map((shell) => [shell.pane, shell])) }
      setGroup(id, { layout: fitLayout(layout, Object.keys(shells)), shells })
    },
    forgetShells(id) {
      if (!get().shells[id]) return
      for (const { terminalId } of Object.values(groupOf(id).shells)) close(terminalId)
      setGroup(id, { layout: plainLayout, shells: {} })
    },
  }
}
