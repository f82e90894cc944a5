import { randomUUID } from 'node:crypto'
import type { LaunchPlan } from '../../../shared/contract/contract.ts'
import type { Terminal as TerminalName } from '../../../shared/contract/window-contract.ts'
import { PaddockError, toErrorReport, type ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { podmanEnvironment, type Podman } from '../engine/podman.ts'
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

export function createTerminals(podman: Podman, launchesFolder: string, onEnd: (end: TerminalEnd) => void): Terminals {
  const terminals = new Map<string, Terminal>()
  const bySandbox = new Map<string, string>()

  const keep = (sandboxId: string, terminal: Terminal): TerminalName => {
    const terminalId = randomUUID()
    terminals.set(terminalId, terminal)
    bySandbox.set(sandboxId, terminalId)
    // The ended terminal stays readable for views that are open; a new attach to the same sandbox replaces it.
    void terminal.ended.then(() => bySandbox.get(sandboxId) === terminalId && bySandbox.delete(sandboxId))
    return { terminalId, sandboxId }
  }

  return {
    async launch(plan) {
      const watch = watchLaunch(podman, launchesFolder, plan)
      const [program, verb, ...rest] = plan.command as [string, string, ...string[]]
      const terminal = openTerminal([program, verb, ...clientOptions, ...rest], podmanEnvironment)
      const sandboxId = await Promise.race([watch.sandboxId(), terminal.ended.then(() => watch.sandboxId())])
      const tidied = terminal.ended.then(async (exitCode) => ({ exitCode, error: await watch.ended(exitCode, true).then(() => null, toErrorReport) }))
      if (sandboxId === null) {
        const { error } = await tidied
        throw error ? new PaddockError(error) : notStarted(plan, await lastLines(terminal))
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

function lastLines(terminal: Terminal): Promise<string> {
  return new Promise((resolve) => {
    const view = terminal.view({
      onReplay: ({ data }) => {
        resolve(data)
        queueMicrotask(() => view.close())
      },
      onData: () => {},
      onExit: () => {},
    })
  })
}

function notStarted(plan: LaunchPlan, said: string): PaddockError {
  // eslint-disable-next-line no-control-regex -- the screen is read as text
  const stderrTail = said.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').trim()
  return new PaddockError({
    code: 'podman-failed',
    message: 'The sandbox could not be started.',
    hint: 'See what Podman said; "Host" checks this machine.',
    command: plan.command,
    stderrTail,
  })
}
