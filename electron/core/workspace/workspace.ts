import type { CallContext } from '../../../shared/contract/contract.ts'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import type { Core } from '../core.ts'
import { createDesktopBoards, type DesktopBoards } from '../desktops/desktop-board.ts'
import type { GuestChannel } from '../guest/guest-channel.ts'
import { type Commands, createCommands } from './run-command.ts'
import { askWorkspaceFacts, type WorkspaceFacts } from './workspace-facts.ts'
import { createWorkspaceFiles, type WorkspaceFiles } from './workspace-files.ts'
import { createWorkspaceSandbox, type Wanted } from './workspace-sandbox.ts'

/** What is known of a workspace and what it lies in. */
export interface WorkspaceStatus {
  sandbox: Sandbox
  facts: WorkspaceFacts
}

/** A project inside a sandbox, for programs that work in it. */
export interface Workspace {
  status(context: CallContext): Promise<WorkspaceStatus>
  files: WorkspaceFiles
  commands: Commands
  /** The channel into its sandbox, for what works a desktop. @throws {PaddockError} as `WorkspaceSandbox.open` */
  openGuest(signal?: AbortSignal): Promise<GuestChannel>
  boards: DesktopBoards
  /** Finds or launches the sandbox, telling how that goes; what comes after it need not wait. @returns its id */
  ready(context: CallContext): Promise<string>
  /** Leaves the sandbox; see `WorkspaceSandbox.leave`. */
  close(): Promise<void>
}

/** @param warn is told what the person at the server should know of the choice */
export function createWorkspace(core: Core, wanted: Wanted, warn: (text: string) => void): Workspace {
  const sandbox = createWorkspaceSandbox(core, wanted, warn)
  const open = (signal: AbortSignal = new AbortController().signal): Promise<GuestChannel> => sandbox.open({ signal, onProgress: () => {} })
  return {
    files: createWorkspaceFiles(open),
    commands: createCommands(open),
    openGuest: open,
    boards: createDesktopBoards(core.paths.desktopsFolder),
    ready: async (context) => (await sandbox.open(context)).sandboxId,
    async status(context) {
      return { sandbox: await sandbox.describe(context), facts: await askWorkspaceFacts(open, context.signal) }
    },
    close: () => sandbox.leave(),
  }
}
