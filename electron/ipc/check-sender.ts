import type { IpcMainEvent, IpcMainInvokeEvent } from 'electron'
import { appOrigin } from '../app/app-protocol.ts'

/** True for the app's own page in a main frame; nothing else may speak to the main process. */
export function isOwnPage(event: IpcMainEvent | IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame
  if (!frame || frame.parent !== null) return false
  try {
    return new URL(frame.url).origin === appOrigin || frame.url.startsWith(`${appOrigin}/`)
  } catch {
    return false
  }
}
