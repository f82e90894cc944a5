import { fakeSandbox, type Scene } from './scene.ts'
import type { Screen } from './scenes.ts'

const { id } = fakeSandbox('a1', 'api-server')

const noServer = {
  code: 'desktop-unavailable' as const,
  message: 'The desktop cannot be shown: its X server does not answer: (EE) Cannot establish any listening sockets.',
  hint: 'Look into the sandbox with "paddock shell"; its screen is made by /usr/local/bin/paddock-desktop.',
}

/** An agent that has just done something: a while from now, so that its mark stays. */
const actOf = (tool: string, place: { x: number; y: number } | null) => ({ tool, at: new Date(Date.now() + 60_000).toISOString(), place })

/** A sandbox with a desktop, and one that has none. */
export function desktopScreens(typical: () => Scene): Record<string, Screen> {
  const withDesktop = (): Scene => {
    const scene = typical()
    return { ...scene, sandboxes: scene.sandboxes.map((sandbox) => (sandbox.id === id ? { ...sandbox, profile: 'desktop', hasDesktop: true } : sandbox)) }
  }
  return {
    desktop: { scene: withDesktop, act: (state) => state.showSandbox(id) },
    'desktop-connecting': { scene: () => ({ ...withDesktop(), desktop: 'waits' }), act: (state) => state.showSandbox(id) },
    'desktop-failed': { scene: () => ({ ...withDesktop(), desktop: noServer }), act: (state) => state.showSandbox(id) },
    'desktop-agent': { scene: () => ({ ...withDesktop(), board: { isPaused: false, act: actOf('desktop_click', { x: 560, y: 330 }) } }), act: (state) => state.showSandbox(id) },
    'desktop-paused': {
      scene: () => ({ ...withDesktop(), board: { isPaused: true, act: actOf('desktop_type', null) } }),
      act: async (state) => {
        state.changeDesktopView({ hasFigures: true })
        await state.showSandbox(id)
        await giveKeys()
      },
    },
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
    'desktop-window-keys': { scene: withDesktop, desktopOf: id, act: giveKeys },
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
