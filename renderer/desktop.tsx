import { fromFragment } from '../shared/domain/desktop-view.ts'
import { createBridge } from './api/bridge.ts'

// In a chunk of its own: what both pages begin with is one, and the main window's first sight should not wait for noVNC.
void import('./app/start-desktop-window.tsx').then(({ startDesktopWindow }) => startDesktopWindow(createBridge(), fromFragment(location.hash)))
