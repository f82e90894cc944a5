import type { WindowEvent } from '../../shared/contract/window-contract.ts'

/** What of an event concerns the page that shows one sandbox's desktop; null for nothing. It hears of no other sandbox. Pure. */
export function newsOfDesktop(event: WindowEvent, sandboxId: string): WindowEvent | null {
  if (event.type === 'sandboxes') return { ...event, sandboxes: event.sandboxes.filter(({ id }) => id === sandboxId) }
  return event.type === 'desktop-changed' && event.sandboxId === sandboxId ? event : null
}
