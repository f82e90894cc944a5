import { WebglAddon } from '@xterm/addon-webgl'
import type { Terminal } from '@xterm/xterm'

/**
 * Whether WebGL is drawn by a graphics card. Where the processor does it (virtual machines, virtual displays) each frame
 * keeps the page waiting, and a flood comes several times as slow as through xterm's own renderer. Asked once for a page.
 * WebGL 1.0, 5.2.1.
 */
export function isAccelerated(): boolean {
  accelerated ??= asksForAcceleration()
  return accelerated
}

let accelerated: boolean | undefined

function asksForAcceleration(): boolean {
  const context = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  // A page may have only so many, and this one has done its work.
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}

/**
 * Draws with WebGL while the terminal is in sight. Where the graphics cannot, are slow, or give it up, xterm's own renderer
 * draws on; the same to look at.
 */
export function createRenderer(terminal: Terminal): { start: () => void; stop: () => void } {
  let webgl: WebglAddon | null = null
  let isRefused = false
  const stop = () => {
    webgl?.dispose()
    webgl = null
  }
  return {
    start() {
      if (webgl !== null || isRefused || !isAccelerated()) return
      try {
        const addon = new WebglAddon()
        addon.onContextLoss(() => {
          isRefused = true
          stop()
        })
        terminal.loadAddon(addon)
        webgl = addon
      } catch {
        isRefused = true
      }
    },
    stop,
  }
}
