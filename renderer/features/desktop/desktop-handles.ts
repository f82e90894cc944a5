/** What the rest of the window may ask of a desktop that it draws. */
export interface DesktopHandle {
  /** Needs a key or a click just before it. */
  fillScreen(): void
  /** Asks which address its browser is to open. */
  askUrl(): void
}

const handles = new Map<string, DesktopHandle>()

/** A sandbox's desktop, while the window draws it. */
export function desktopHandle(sandboxId: string): DesktopHandle | undefined {
  return handles.get(sandboxId)
}

/** @returns what takes it back */
export function registerDesktop(sandboxId: string, handle: DesktopHandle): () => void {
  handles.set(sandboxId, handle)
  return () => {
    if (handles.get(sandboxId) === handle) handles.delete(sandboxId)
  }
}
