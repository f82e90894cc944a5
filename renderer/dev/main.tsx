import { startDesktopWindow } from '../app/start-desktop-window.tsx'
import { startWindow } from '../app/start-window.tsx'
import { createFakeApi } from './fake-api.ts'
import { screens } from './scenes.ts'

// The window without Electron: `npx vite -c vite.renderer.config.ts`, then /dev/dev.html?scene=crowded&theme=dark
const wanted = new URLSearchParams(location.search)
const name = wanted.get('scene') ?? 'project'
const screen = screens[name]
if (!screen) throw new Error(`There is no scene ${name}; there are ${Object.keys(screens).join(', ')}.`)
const scene = screen.scene()
const theme = wanted.get('theme')
if (theme === 'light' || theme === 'dark') scene.settings = { ...scene.settings, theme }
const { api, tell } = createFakeApi(scene)
const view = { scale: 'fit', quality: 'medium', isViewOnly: false, hasFigures: false } as const
const { store, begun } = screen.desktopOf === undefined ? startWindow(api) : startDesktopWindow(api, { id: screen.desktopOf, view })
// There the system's theme is the app's, which Electron sees to.
if (screen.desktopOf !== undefined && theme !== null) document.documentElement.dataset.theme = theme
/** Longer than the window waits for its first frame. */
const patienceMs = 800
const patience = () => new Promise((resolve) => setTimeout(resolve, patienceMs))
// Some scenes wait for an answer that never comes.
await (scene.silent.length > 0 ? Promise.race([begun, patience()]) : begun)
tell({ type: 'stats', stats: scene.sandboxes.map(({ id }, at) => ({ id, cpu: 0.4 + at / 10, memoryBytes: 1.2 * 1024 ** 3 })) })
await Promise.race([screen.act?.(store.getState(), scene), patience()])
if (screen.press !== undefined) await press(screen.press)
Object.assign(window, { store, tell, sceneNames: Object.keys(screens), isSceneReady: true })

/** Waits for a button, whose part of the window may still be loading, and presses it. */
async function press(words: string): Promise<void> {
  for (;;) {
    const button = [...document.querySelectorAll<HTMLButtonElement>('main button:not([disabled])')].find((one) => one.textContent.trim().startsWith(words) || one.ariaLabel === words || (words === 'Findings' && one.matches('.foot-button')))
    if (button) return button.click()
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
