import { randomUUID } from 'node:crypto'
import type { ShellName } from '../../../shared/contract/shell-contract.ts'
import type { TerminalSize } from '../../../shared/contract/window-contract.ts'
import { maxShells, type ShellLayout } from '../../../shared/domain/shell-layout.ts'
import { shellVariable } from '../../../shared/domain/shell-processes.ts'
import { leavesItself } from '../../../shared/domain/shell-words.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { GuestChannel } from '../guest/guest-channel.ts'
import type { IdleChannels } from '../guest/idle-channels.ts'
import { askProgram } from '../guest/program-in-shell.ts'
import { guestProgram } from './guest-program.ts'
import { keepTerminal, type Terminal } from './terminal.ts'

/** The further shells of all sandboxes, over their guest channels. They outlive the window, and end with this process. */
export interface Shells {
  /** @throws {PaddockError} `channel-unavailable`, `channel-lost`; `usage` when there are too many */
  open(sandboxId: string, size: TerminalSize): Promise<ShellName>
  /** Those that run, and those whose last words are worth reading. */
  list(sandboxId: string): { shells: ShellName[]; layout: ShellLayout | null }
  /** Keeps how the window shows them, for as long as there are any. */
  arrange(sandboxId: string, layout: ShellLayout): void
  /** Ends one, or, unless forced, says what runs in it. See `shell.close` of the contract. */
  close(terminalId: string, force: boolean): Promise<string | null>
  find(terminalId: string): Terminal<number | null> | undefined
  /** How many run. */
  count(): number
}

interface Shell extends ShellName {
  sandboxId: string
  guest: GuestChannel
  terminal: Terminal<number | null>
  state: 'runs' | 'stays' | 'left'
}

/** Ended shells that a window can still draw; each keeps its scrollback in memory. */
const maxEnded = 10

/** @param channels hold a connection for as long as a shell runs on it */
export function createShells(channels: Pick<IdleChannels, 'hold'>): Shells {
  const shells = new Map<string, Shell>()
  const layouts = new Map<string, ShellLayout>()
  /** Numbers of shells on their way, by sandbox. */
  const opening = new Map<string, Set<number>>()

  const of = (sandboxId: string) => [...shells.values()].filter((shell) => shell.sandboxId === sandboxId && shell.state !== 'left')
  const forget = (shell: Shell) => {
    shells.delete(shell.terminalId)
    if (of(shell.sandboxId).length === 0) layouts.delete(shell.sandboxId)
  }
  const keep = (shell: Shell) => {
    const startedAt = Date.now()
    shells.set(shell.terminalId, shell)
    void shell.terminal.ended.then((exitCode) => {
      shell.state = leavesItself(exitCode, Date.now() - startedAt) ? 'left' : 'stays'
      const ended = [...shells.values()].filter(({ state }) => state !== 'runs')
      for (const oldest of ended.slice(0, -maxEnded)) forget(oldest)
    })
  }
  const reserve = (sandboxId: string) => {
    const reserved = opening.get(sandboxId) ?? new Set()
    const used = new Set([...reserved, ...of(sandboxId).map(({ number }) => number)])
    if (used.size >= maxShells) throw new PaddockError({ code: 'usage', message: `This sandbox has ${maxShells} further shells, and more are not opened.`, hint: 'Close one of them first.' })
    let number = 1
    while (used.has(number)) number++
    opening.set(sandboxId, reserved.add(number))
    return { number, release: () => void (reserved.delete(number) && reserved.size === 0 && opening.delete(sandboxId)) }
  }

  return {
    async open(sandboxId, size) {
      const { number, release } = reserve(sandboxId)
      try {
        const { channel: guest, release: letGo } = await channels.hold(sandboxId)
        const terminalId = randomUUID()
        const process = await guest.shell(size, { env: { [shellVariable]: terminalId } }).catch((error: unknown) => {
          letGo()
          throw error
        })
        process.exit.then(letGo, letGo)
        const terminal = keepTerminal<number | null>((options) => guestProgram(process, options), { size })
        keep({ terminalId, number, sandboxId, guest, terminal, state: 'runs' })
        return { terminalId, number }
      } finally {
        release()
      }
    },
    list: (sandboxId) => ({ shells: of(sandboxId).map(({ terminalId, number }) => ({ terminalId, number })), layout: layouts.get(sandboxId) ?? null }),
    arrange(sandboxId, layout) {
      if (of(sandboxId).length > 0) layouts.set(sandboxId, layout)
    },
    async close(terminalId, force) {
      const shell = shells.get(terminalId)
      if (!shell) return null
      if (shell.state === 'runs') {
        const program = force ? null : await askProgram(shell.guest, terminalId)
        if (program !== null && shell.state === 'runs') return program
        shell.terminal.kill()
      }
      forget(shell)
      return null
    },
    find: (terminalId) => shells.get(terminalId)?.terminal,
    count: () => [...shells.values()].filter(({ state }) => state === 'runs').length,
  }
}
