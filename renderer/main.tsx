import './app/look.ts'
import { createRoot } from 'react-dom/client'
import { createBridge } from './api/bridge.ts'
import { App } from './app/app.tsx'
import { StoreProvider } from './store/context.tsx'
import { createAppStore } from './store/store.ts'

const api = createBridge()
const store = createAppStore(api)
void store.getState().begin()

createRoot(document.getElementById('root')!).render(
  <StoreProvider store={store} api={api}>
    <App />
  </StoreProvider>,
)
