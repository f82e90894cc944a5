import './tokens.css'
import './base.css'
import '../ui/controls.css'
import '../ui/layers.css'
import '../features/terminal/panes.css'
import '../features/panels/panel.css'
import { createRoot } from 'react-dom/client'
import type { ShownDesktop } from '../../shared/domain/desktop-view.ts'
import type { Api } from '../api/api.ts'
import { StoreProvider } from '../store/context.tsx'
import { followDesktop } from '../store/follow-desktop.ts'
import { type AppStore, createAppStore } from '../store/store.ts'
import { DesktopWindow } from './desktop-window.tsx'

/** Draws a desktop's own window. @returns its store, and when all it asked was answered */
export function startDesktopWindow(api: Api, { id, view }: ShownDesktop): { store: AppStore; begun: Promise<void> } {
  const store = createAppStore(api)
  store.getState().changeDesktopView(view)
  const load = followDesktop(api, store, id)
  createRoot(document.getElementById('root')!).render(
    <StoreProvider store={store} api={api}>
      <DesktopWindow id={id} load={load} />
    </StoreProvider>,
  )
  return { store, begun: load() }
}
