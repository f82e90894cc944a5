import type { ErrorReport } from '../errors/paddock-error.ts'

/** Messages on a desktop's port, towards the main process: VNC as it is, and what was worked off. */
export type DesktopUp =
  | { type: 'data'; data: Uint8Array }
  /** Bytes that were drawn since the last one: the flow control's credit. */
  | { type: 'taken'; bytes: number }

/** Messages on a desktop's port, towards the window. */
export type DesktopDown =
  | { type: 'open' }
  | { type: 'data'; data: Uint8Array }
  /** Nothing follows. null: it was closed from here. */
  | { type: 'closed'; error: ErrorReport | null }
