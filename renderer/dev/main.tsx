import '../app/look.ts'
import { createRoot } from 'react-dom/client'
import { App } from '../app/app.tsx'
import { StoreProvider } from '../store/context.tsx'
import { createAppStore } from '../store/store.ts'
import { createFakeApi } from './fake-api.ts'
import { scenes } from './scenes.ts'

// The window over a fake main process: dev.html?scene=crowded&theme=dark
const parameters = new URLSearchParams(location.search)
const name = parameters.get('scene') ?? 'project'
const scene = scenes[name]
if (!scene) throw new Error(`There is no scene ${name}`)
const theme = parameters.get('theme') === 'dark' ? 'dark' : 'light'
const api = createFakeApi({ ...scene.handlers, 'settings.get': () => ({ theme }) }, (_terminalId, say) => say({ type: 'replay', data: scene.terminal ?? '', cols: 80, rows: 24 }))
const store = createAppStore(api)

createRoot(document.getElementById('root')!).render(
  <StoreProvider store={store} api={api}>
    <App />
  </StoreProvider>,
)
// A scene may wait for an answer that never comes.
await Promise.race([store.getState().begin(), new Promise((resolve) => setTimeout(resolve, 300))])
void scene.after?.(store.getState(), api)
Object.assign(window, { sceneNames: Object.keys(scenes), isSceneReady: true })
