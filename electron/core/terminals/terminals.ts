import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LaunchPlan } from '../../../shared/contract/contract.ts'
import type { Terminal as TerminalName, TerminalSize } from '../../../shared/contract/window-contract.ts'
import { PaddockError, toErrorReport, type ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { removeContainer } from '../engine/containers.ts'
import { hintFor } from '../engine/hints.ts'
import { launchEnvironment, podmanEnvironment, type Podman } from '../engine/podman.ts'
import { redactCommand } from '../process/redact.ts'
import { type LaunchWatch, watchLaunch } from '../sandboxes/run-launch.ts'
import { firstWords } from './first-words.ts'
import { recentOutput } from './recent-output.ts'
import type { Terminal } from './terminal.ts'

export interface LaunchOptions {
  size?: TerminalSize | undefined
  /**
   * Called as soon as the sandbox has an id, so that a view can be made while it starts; a launch that fails after that
   * takes the terminal away again.
   */
  onOpened?: (name: TerminalName) => void
  /** Calls the launch off: what Podman has made of it is removed. */
  signal?: AbortSignal
}

/** The terminals of all sandboxes that this app follows; they outlive the window. */
export interface Terminals {
  /** Loads what terminals need; otherwise the first one does. */
  load(): Promise<void>
  /** Settles when the sandbox has started. @throws {PaddockError} `cancelled` and others */
  launch(plan: LaunchPlan, options?: LaunchOptions): Promise<TerminalName>
  /** A terminal on a sandbox that runs, with what it showed last. The same one when there is one. */
  attach(sandboxId: string): Promise<TerminalName>
  /** Whether a launch is between its first process and its prompt. */
  isStarting(): boolean
  /** Settles when every launch that is under way has started, failed or been called off. */
  started(): Promise<void>
  find(terminalId: string): Terminal | undefined
  /** Whether there is a terminal of this sandbox, be it an ended one. */
  has(sandboxId: string): boolean
  /** Why Paddock itself ended a sandbox that it launched; null when it did not. Settles when that is known. */
  failureOf(sandboxId: string): Promise<ErrorReport | null>
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

/** xterm.js and node-pty are as much to read as all else that answers the page. */
const loadTerminal = () => import('./terminal.ts')

/** @param onFailure Paddock itself ended a sandbox, because it is not what was asked for */
export function createTerminals(podman: Podman, launchesFolder: string, onFailure: (sandboxId: string, error: ErrorReport) => void): Terminals {
  const terminals = new Map<string, Terminal>()
  const bySandbox = new Map<string, string>()
  const failures = new Map<string, Promise<ErrorReport | null>>()
  const ended: { terminalId: string; sandboxId: string }[] = []
  const starts = new Set<Promise<unknown>>()
  const attaches = new Map<string, Promise<TerminalName>>()

  const keep = (sandboxId: string, terminal: Terminal): TerminalName => {
    const terminalId = randomUUID()
    terminals.set(terminalId, terminal)
    bySandbox.set(sandboxId, terminalId)
    void terminal.ended.then(() => {
      // A new attach to the same sandbox gets a new terminal; the ended one can still be looked at for a while.
      if (bySandbox.get(sandboxId) === terminalId) bySandbox.delete(sandboxId)
      ended.push({ terminalId, sandboxId })
      for (const oldest of ended.splice(0, ended.length - maxEnded)) {
        terminals.delete(oldest.terminalId)
        failures.delete(oldest.sandboxId)
      }
    })
    return { terminalId, sandboxId }
  }

  const launch: Terminals['launch'] = async (plan, { size, onOpened, signal } = {}) => {
    const { openTerminal } = await loadTerminal()
    const watch = watchLaunch(podman, launchesFolder, plan)
    const verb = plan.command.indexOf('run') + 1
    const terminal = await openFor(watch, () => openTerminal(plan.command.toSpliced(verb, 0, ...clientOptions) as [string, ...string[]], launchEnvironment, { size }))
    const words = firstWords(terminal)
    const tidied = terminal.ended.then(async (exitCode) => ({ exitCode, error: await watch.ended(exitCode, true).then(() => null, toErrorReport) }))
    const sandboxId = await watch.sandboxId()
    if (sandboxId !== null) {
      failures.set(sandboxId, tidied.then(({ error }) => error))
      void tidied.then(({ error }) => error !== null && onFailure(sandboxId, error))
    }
    const name = sandboxId === null ? null : keep(sandboxId, terminal)
    if (name !== null) onOpened?.(name)
    const hasFailed = name === null || (await hasFailedToStart(terminal, words.heard))
    words.close()
    if (signal?.aborted) {
      if (name !== null) terminals.delete(name.terminalId)
      if (sandboxId !== null) await removeContainer(podman, sandboxId)
      terminal.kill()
      await tidied
      throw new PaddockError({ code: 'cancelled', message: 'Cancelled.' })
    }
    if (hasFailed) {
      if (name !== null) terminals.delete(name.terminalId)
      const { error, exitCode } = await tidied
      throw error ? new PaddockError(error) : notStarted(plan, exitCode, await screenText(terminal))
    }
    return name
  }

  const attach = async (sandboxId: string) => {
    // Loaded first: what is said between the log and the terminal is in neither.
    const { openTerminal } = await loadTerminal()
    const before = await recentOutput(podman, sandboxId)
    return keep(sandboxId, openTerminal(podman.command(['attach', ...clientOptions, sandboxId]), podmanEnvironment, { before }))
  }

  return {
    load: async () => void (await loadTerminal()),
    isStarting: () => starts.size > 0,
    async started() {
      await Promise.allSettled(starts)
    },
    launch(plan, options) {
      const start = launch(plan, options)
      starts.add(start)
      return start.finally(() => starts.delete(start))
    },
    async attach(sandboxId) {
      const open = bySandbox.get(sandboxId)
      if (open !== undefined) return { terminalId: open, sandboxId }
      const attaching = attaches.get(sandboxId) ?? attach(sandboxId).finally(() => attaches.delete(sandboxId))
      attaches.set(sandboxId, attaching)
      return attaching
    },
    find: (terminalId) => terminals.get(terminalId),
    has: (sandboxId) => bySandbox.has(sandboxId) || ended.some((one) => one.sandboxId === sandboxId),
    failureOf: async (sandboxId) => (await failures.get(sandboxId)) ?? null,
    detachAll() {
      for (const terminal of terminals.values()) terminal.kill()
    },
  }
}

/** A launch whose terminal cannot be opened leaves no record and nothing that waits for it. */
async function openFor(watch: LaunchWatch, open: () => Terminal): Promise<Terminal> {
  try {
    return open()
  } catch (error) {
    await watch.failed()
    throw error
  }
}

/** podman-run(1), "Exit Status": Podman itself failed, the command cannot be invoked, the command cannot be found. */
const notStartedCodes = [125, 126, 127]
/** A sandbox that says nothing for so long has started. */
const startsWithinMs = 1_500

/**
 * Podman writes the id of a sandbox before it starts it. Its first words tell how that went: without its own "Error:"
 * or a warning of its own, they are the sandbox's.
 */
async function hasFailedToStart(terminal: Terminal, heard: Promise<void>): Promise<boolean> {
  const stop = new AbortController()
  try {
    const failed = terminal.ended.then((exitCode) => notStartedCodes.includes(exitCode))
    const silent = sleep(startsWithinMs, false, { signal: stop.signal }).catch(() => false)
    return await Promise.race([failed, silent, heard.then(() => false)])
  } finally {
    stop.abort()
  }
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
