import { readFileSync } from 'node:fs'
import { Resvg } from '@resvg/resvg-js'

/** What desktops ask for, and what the packages install below hicolor. */
const sizes = [16, 22, 24, 32, 48, 64, 128, 256, 512]

const drawing = readFileSync(new URL('icon.svg', import.meta.url), 'utf8')

/** @returns {Uint8Array} the icon as a PNG, `size` pixels wide and high */
export function drawIcon(size) {
  return new Resvg(drawing, { fitTo: { mode: 'width', value: size } }).render().asPng()
}

/**
 * Draws the icons into the window's bundle: `tray.png` with its variants for dense screens, and `icons/` in all sizes.
 *
 * @returns {import('vite').Plugin}
 */
export function icons() {
  return {
    name: 'paddock-icons',
    apply: 'build',
    generateBundle() {
      const emit = (fileName, size) => this.emitFile({ type: 'asset', fileName, source: drawIcon(size) })
      emit('tray.png', 16)
      emit('tray@1.5x.png', 24)
      emit('tray@2x.png', 32)
      for (const size of sizes) emit(`icons/${size}x${size}.png`, size)
    },
  }
}
