import { fakeSandbox, type Scene } from './scene.ts'
import type { Screen } from './scenes.ts'

const { id } = fakeSandbox('a1', 'api-server')

/** A sandbox with a desktop, and one that has none. */
export function desktopScreens(typical: () => Scene): Record<string, Screen> {
  const withDesktop = (): Scene => {
    const scene = typical()
    return { ...scene, sandboxes: scene.sandboxes.map((sandbox) => (sandbox.id === id ? { ...sandbox, profile: 'desktop', hasDesktop: true } : sandbox)) }
  }
  return {
    desktop: { scene: withDesktop, act: (state) => state.showSandbox(id) },
    'desktop-alone': {
      scene: withDesktop,
      act: async (state) => {
        state.placeDesktop(id, 'alone')
        state.changeDesktopView({ isViewOnly: true, hasFigures: true })
        await state.showSandbox(id)
      },
    },
    'desktop-elsewhere': {
      scene: withDesktop,
      act: async (state) => {
        await state.showSandbox(id)
        state.setDesktopWindows([id])
      },
    },
    'desktop-keys': {
      scene: withDesktop,
      act: async (state) => {
        await state.showSandbox(id)
        await giveKeys()
      },
    },
    'desktop-window': { scene: withDesktop, desktopOf: id },
    'desktop-window-problem': {
      scene: withDesktop,
      desktopOf: id,
      act: (state, scene) => {
        state.changeDesktopView({ isViewOnly: true, hasFigures: true })
        scene.errors = { 'desktop.openUrl': { code: 'desktop-unavailable', message: 'The desktop has no browser.', hint: 'Build the profile again.' } }
        return state.openInDesktop(id, 'https://example.com')
      },
    },
    'desktop-window-ended': { scene: typical, desktopOf: 'e'.repeat(64) },
    'desktop-window-error': {
      scene: () => ({ ...typical(), errors: { 'desktop.sandbox': { code: 'internal', message: 'The main process did not answer.' } } }),
      desktopOf: id,
    },
    'desktop-none': {
      scene: typical,
      act: async (state) => {
        state.placeDesktop(id, 'beside')
        await state.showSandbox(id)
      },
    },
  }
}

/** Gives the keys to the desktop, whose part of the window may still be loading. */
async function giveKeys(): Promise<void> {
  for (;;) {
    const keys = document.querySelector<HTMLElement>('.desktop-keys')
    if (keys) return keys.focus()
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
