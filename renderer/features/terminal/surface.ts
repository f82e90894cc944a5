import { FitAddon } from '@xterm/addon-fit'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { type ITerminalOptions, Terminal } from '@xterm/xterm'
import type { TerminalSize } from '../../../shared/contract/window-contract.ts'
import { isAccelerated } from './renderer-choice.ts'

/** An xterm.js with its screen. */
export interface Surface {
  terminal: Terminal
  fit: FitAddon
  /** Whether nothing was written to it: to wipe it then would cost as much as to draw it. */
  isBlank: boolean
  /** Somebody clicked a link in it. */
  onLink: (url: string) => void
}

/** As many lines as the main process keeps for a screen that comes later. */
const scrollback = 5_000

/** The screens of one page. */
export interface Surfaces {
  /**
   * Makes the screen of the next terminal ahead: what it costs would come between a click and the prompt.
   * @param shelf as large as a terminal's box
   * @returns what fits there; undefined while it is not laid out
   */
  prepare(shelf: HTMLElement, options: ITerminalOptions): TerminalSize | undefined
  /** A screen in `element`: the one that was made ahead, or a new one. */
  take(element: HTMLElement, options: ITerminalOptions): Surface
}

export function createSurfaces(): Surfaces {
  const state: { spare: Surface | null } = { spare: null }
  return {
    prepare(shelf, options) {
      isAccelerated()
      if (state.spare === null) {
        state.spare = make(options)
        state.spare.terminal.open(shelf)
        // A screen reader would read them out.
        if (!options.screenReaderMode) measureLetters(state.spare, (surface) => state.spare === surface)
      }
      const { terminal, fit } = state.spare
      Object.assign(terminal.options, options)
      fit.fit()
      return shelf.offsetParent === null ? undefined : { cols: terminal.cols, rows: terminal.rows }
    },
    take(element, options) {
      const { spare } = state
      state.spare = null
      const surface = spare ?? make(options)
      if (spare === null) surface.terminal.open(element)
      else {
        element.append(spare.terminal.element!)
        Object.assign(spare.terminal.options, options)
      }
      return surface
    },
  }
}

const letters = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at))

/** xterm.js measures each letter when it first draws it, and the first letters are a prompt's. */
function measureLetters(surface: Surface, isSpare: (surface: Surface) => boolean): void {
  const { terminal } = surface
  surface.isBlank = false
  const wipe = () => {
    if (!isSpare(surface)) return
    terminal.reset()
    surface.isBlank = true
  }
  terminal.write(`${letters}\r\n\u001b[1m${letters}\u001b[m`, () => requestAnimationFrame(() => requestAnimationFrame(wipe)))
}

/** This page's. */
export const surfaces = createSurfaces()

function make(options: ITerminalOptions): Surface {
  const onLink = (_event: MouseEvent, url: string) => surface.onLink(url)
  // A program may name any address; only these are offered, and asked about first. Set here, since an option that is set
  // later has all styles of a screen made anew.
  const linkHandler = { activate: onLink, allowNonHttpProtocols: false }
  const terminal = new Terminal({ ...options, allowProposedApi: true, scrollback, minimumContrastRatio: 4.5, linkHandler })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  terminal.loadAddon(new WebLinksAddon(onLink))
  const surface: Surface = { terminal, fit, isBlank: true, onLink: () => {} }
  return surface
}
