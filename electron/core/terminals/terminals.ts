import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LaunchPlan } from '../../../shared/contract/contract.ts'
import type { Terminal as TerminalName } from '../../../shared/contract/window-contract.ts'
import { PaddockError, toErrorReport, type ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { hintFor } from '../engine/hints.ts'
import { podmanEnvironment, type Podman } from '../engine/podman.ts'
import { redactCommand } from '../process/redact.ts'
import { watchLaunch } from '../sandboxes/run-launch.ts'
import { openTerminal, type Terminal } from './terminal.ts'

/** How a sandbox's terminal came to its end. */
export interface TerminalEnd {
  sandboxId: string
  exitCode: number
  /** Why Paddock itself ended it; null when the sandbox ended by itself. */
  error: ErrorReport | null
}

/** The terminals of all sandboxes that this app follows; they outlive the window. */
export interface Terminals {
  launch(plan: LaunchPlan): Promise<TerminalName>
  attach(sandboxId: string): TerminalName
  find(terminalId: string): Terminal | undefined
  /** Leaves every sandbox running and ends this app's clients. */
  detachAll(): void
}

/**
 * Neither signals nor the detach keys reach what runs in the sandbox through its client: a client that loses its
 * terminal, because the app was killed, must not end the sandbox, and programs need every key.
 */
const clientOptions = ['--sig-proxy=false', '--detach-keys', '']

/** Ended terminals that a window which is loaded anew can still draw; each keeps its scrollback in memory. */
const maxEnded = 10

export function createTerminals(podman: Podman, launchesFolder: string, onEnd: (end: TerminalEnd) => void): Terminals {
  const terminals = new Map<string, Terminal>()
  const bySandbox = new Map<string, string>()

  const endedIds: string[] = []

  const keep = (sandboxId: string, terminal: Terminal): TerminalName => {
    const terminalId = randomUUID()
    terminals.set(terminalId, terminal)
    bySandbox.set(sandboxId, terminalId)
    void terminal.ended.then(() => {
      // A new attach to the same sandbox gets a new terminal; the ended one can still be looked at for a while.
      if (bySandbox.get(sandboxId) === terminalId) bySandbox.delete(sandboxId)
      endedIds.push(terminalId)
      for (const oldest of endedIds.splice(0, endedIds.length - maxEnded)) terminals.delete(oldest)
    })
    return { terminalId, sandboxId }
  }

  return {
    async launch(plan) {
      const watch = watchLaunch(podman, launchesFolder, plan)
      const [program, verb, ...rest] = plan.command as [string, string, ...string[]]
      const terminal = openTerminal([program, verb, ...clientOptions, ...rest], podmanEnvironment)
      const tidied = terminal.ended.then(async (exitCode) => ({ exitCode, error: await watch.ended(exitCode, true).then(() => null, toErrorReport) }))
      const sandboxId = await watch.sandboxId()
      if (sandboxId === null || (await hasFailedToStart(terminal))) {
        const { error, exitCode } = await tidied
        throw error ? new PaddockError(error) : notStarted(plan, exitCode, await screenText(terminal))
      }
      void tidied.then((end) => onEnd({ sandboxId, ...end }))
      return keep(sandboxId, terminal)
    },
    attach(sandboxId) {
      const open = bySandbox.get(sandboxId)
      if (open !== undefined) return { terminalId: open, sandboxId }
      const terminal = openTerminal(podman.command(['attach', ...clientOptions, sandboxId]), podmanEnvironment)
      void terminal.ended.then((exitCode) => onEnd({ sandboxId, exitCode, error: null }))
      return keep(sandboxId, terminal)
    },
    find: (terminalId) => terminals.get(terminalId),
    detachAll() {
      for (const terminal of terminals.values()) terminal.kill()
    },
  }
}

/** podman-run(1), "Exit Status": Podman itself failed, the command cannot be invoked, the command cannot be found. */
const notStartedCodes = [125, 126, 127]
const podmanWarning = /^(Resource limits are not supported|time=|WARN)/
/** A sandbox that says nothing for so long has started. */
const startsWithinMs = 1_500

/**
 * Podman writes the id of a sandbox before it starts it. Its first words tell how that went: without its own "Error:"
 * or a warning of its own, they are the sandbox's.
 */
async function hasFailedToStart(terminal: Terminal): Promise<boolean> {
  const stop = new AbortController()
  try {
    const failed = terminal.ended.then((exitCode) => notStartedCodes.includes(exitCode))
    const silent = sleep(startsWithinMs, false, { signal: stop.signal }).catch(() => false)
    return await Promise.race([failed, silent, hearsSandbox(terminal, stop.signal).then(() => false)])
  } finally {
    stop.abort()
  }
}

/** Settles when a line stands in the terminal that is not Podman's own. */
function hearsSandbox(terminal: Terminal, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let said = ''
    const hear = (text: string) => {
      said += text
      const first = said.split(/\r?\n/).find((line) => line.trim() !== '' && !podmanWarning.test(line))
      if (first !== undefined && !first.startsWith('Error:')) resolve()
    }
    const view = terminal.view({
      onReplay: ({ data }) => hear(data),
      onData(data) {
        view.taken(data.length)
        hear(Buffer.from(data).toString())
      },
      onExit: () => {},
    })
    signal.addEventListener('abort', () => view.close(), { once: true })
  })
}

/** What stands on a terminal's screen, as plain text. */
function screenText(terminal: Terminal): Promise<string> {
  return new Promise((resolve) => {
    const view = terminal.view({
      onReplay: ({ data }) => {
        resolve(data.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').trim())
        queueMicrotask(() => view.close())
      },
      onData: () => {},
      onExit: () => {},
    })
  })
}

function notStarted(plan: LaunchPlan, exitCode: number, said: string): PaddockError {
  const why = said.split('\n').findLast((line) => line.startsWith('Error:'))?.replace(/^Error: /, '').trim()
  return new PaddockError({
    code: 'podman-failed',
    message: why ? `The sandbox could not be started: ${why}`.replace(/\.?$/, '.') : 'The sandbox could not be started.',
    hint: hintFor(exitCode, said) ?? 'See what Podman said; "Host" checks this machine.',
    command: redactCommand(plan.command),
    exitCode,
    stderrTail: said,
  })
}
