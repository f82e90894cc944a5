import './tokens.css'
import './base.css'
import '../ui/controls.css'
import '../ui/layers.css'
import '../features/palette/command.css'
import { createRoot } from 'react-dom/client'
import type { Api } from '../api/api.ts'
import { StoreProvider } from '../store/context.tsx'
import { type AppStore, createAppStore } from '../store/store.ts'
import { App } from './app.tsx'

/** Longer than this nobody waits for the window to have nothing to do. */
const drawnWithinMs = 500

/** Settles when a frame was drawn and the first keys can be answered. A window that nobody sees may draw none. */
const drawn = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, drawnWithinMs)
    requestAnimationFrame(() => requestIdleCallback(() => resolve()))
  })

/** Draws the window. @param api how the main process is reached @returns its store, and when all it asked was answered */
export function startWindow(api: Api): { store: AppStore; begun: Promise<void> } {
  const store = createAppStore(api)
  const begun = store.begin(drawn)
  createRoot(document.getElementById('root')!).render(
    <StoreProvider store={store} api={api}>
      <App />
    </StoreProvider>,
  )
  return { store, begun }
}
