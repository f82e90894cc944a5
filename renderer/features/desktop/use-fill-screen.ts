import { type RefObject, useCallback } from 'react'
import type { DesktopScreen } from './desktop-screen.ts'

/** What gives a desktop the whole screen and all keys. @param pane what fills it */
export function useFillScreen(pane: RefObject<HTMLElement | null>, screen: RefObject<DesktopScreen | null>): () => void {
  return useCallback(() => {
    const fill = async () => {
      await pane.current?.requestFullscreen()
      // Then even those keys reach the desktop that this machine's own would take.
      await (navigator as Navigator & { keyboard?: { lock(): Promise<void> } }).keyboard?.lock().catch(() => {})
      screen.current?.focus()
    }
    // Refused where another window has the screen: then it stays as it is.
    void fill().catch(() => {})
  }, [pane, screen])
}
