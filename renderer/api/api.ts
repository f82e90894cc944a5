import type { Progress } from '../../shared/contract/contract.ts'
import type { Reply } from '../../shared/contract/dispatch.ts'
import type { DesktopDown, DesktopUp } from '../../shared/contract/desktop-contract.ts'
import type { Offer } from '../../shared/contract/panel-contract.ts'
import type { TerminalDown, TerminalUp, WindowCall, WindowEvent, WindowInput, WindowOutput } from '../../shared/contract/window-contract.ts'

/** How the window reaches the main process; tests hand the store a fake one. */
export interface Api {
  /** Never rejects: a failure is a reply. Aborting the signal cancels the work behind a long call. */
  call<N extends WindowCall>(name: N, input: WindowInput<N>, options?: CallOptions): Promise<Reply<WindowOutput<N>>>
  /** @returns a function that ends the listening */
  onEvent(listener: (event: WindowEvent) => void): () => void
  openTerminal(terminalId: string, onMessage: (message: TerminalDown) => void): TerminalStream
  /**
   * Opens a terminal's stream before there is a screen for it. What comes is kept for `openTerminal`: little, as the main
   * process sends no more than a screen takes.
   * @param onWords something was said since
   * @returns what lets go of it, where no screen took it
   */
  expectTerminal(terminalId: string, onWords: () => void): () => void
  /** The VNC bytes of a sandbox's desktop. @param sandboxId Podman's full id */
  openDesktop(sandboxId: string, onMessage: (message: DesktopDown) => void): DesktopStream
  /** A word for dropped files, by which they can be copied; null for what is no file of this machine. */
  offerFiles(files: readonly File[]): Promise<Offer | null>
  /** Host path of a dropped file or folder. */
  pathOf(file: File): string
}

export interface CallOptions {
  onProgress?: (progress: Progress) => void
  signal?: AbortSignal
}

/** One terminal's two-way stream. */
export interface TerminalStream {
  send(message: TerminalUp): void
  close(): void
}

/** One desktop's two-way stream. */
export interface DesktopStream {
  send(message: DesktopUp): void
  close(): void
}
