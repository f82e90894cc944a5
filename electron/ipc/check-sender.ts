import type { IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron'
import { ownWindowCalls } from '../../shared/contract/desktop-window-contract.ts'
import { appOrigin } from '../app/app-origin.ts'

type SenderEvent = IpcMainEvent | IpcMainInvokeEvent

/** True for the app's own page in a main frame; nothing else may speak to the main process. */
export function isOwnPage(event: SenderEvent): boolean {
  const frame = event.senderFrame
  if (!frame || frame.parent !== null) return false
  try {
    return new URL(frame.url).origin === appOrigin || frame.url.startsWith(`${appOrigin}/`)
  } catch {
    return false
  }
}

/** What those may reach that speak to the main process. The window counts, not the address: a page can change its own. */
export interface Senders {
  /** The main window's page, which may all. */
  isMain(event: SenderEvent): boolean
  /** Of a desktop's own window: some calls, about that sandbox. */
  mayCall(event: SenderEvent, name: string, input: unknown): boolean
  mayShow(event: SenderEvent, sandboxId: string): boolean
}

/** @param sandboxOf the sandbox whose desktop has the page as its own window; null for the main window's */
export function createSenders(sandboxOf: (page: WebContents) => string | null): Senders {
  const isMain = (event: SenderEvent) => isOwnPage(event) && sandboxOf(event.sender) === null
  const isOf = (event: SenderEvent, sandboxId: unknown) => isOwnPage(event) && sandboxOf(event.sender) === sandboxId
  return {
    isMain,
    mayCall: (event, name, input) => isMain(event) || (ownWindowCalls.has(name) && isOf(event, (input as { id?: unknown } | null)?.id)),
    mayShow: (event, sandboxId) => isMain(event) || isOf(event, sandboxId),
  }
}
