import { ClipboardAddon } from '@xterm/addon-clipboard'
import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { WebglAddon } from '@xterm/addon-webgl'
import { type ITheme, Terminal } from '@xterm/xterm'
import type { Settings } from '../../../shared/domain/settings.ts'
import type { Api } from '../../api/api.ts'

/** What a terminal asks of the window around it. */
export interface ScreenHost {
  onExit(exitCode: number | null): void
  /** A link was clicked; the person is asked before anything opens. */
  onLink(url: string): void
  onSearch(): void
  /** A paste of several lines into a program that would run each at once. @returns whether to go on */
  confirmPaste(lines: number): boolean
}

/** One xterm.js screen on one terminal of the main process. */
export interface Screen {
  mount(element: HTMLElement): void
  /** To be called when the element may have another size. */
  fit(): void
  focus(): void
  search(text: string, forward: boolean): void
  apply(settings: Settings): void
  dispose(): void
}

const dark: ITheme = { background: '#17181a', foreground: '#e6e7e9', cursor: '#e6e7e9', selectionBackground: '#3a4a6b' }
const light: ITheme = {
  background: '#ffffff', foreground: '#1b1c1f', cursor: '#1b1c1f', selectionBackground: '#cfdcf8',
  black: '#1b1c1f', red: '#b3261e', green: '#1a7640', yellow: '#8a5a00', blue: '#2a5bd0', magenta: '#8a3ea8', cyan: '#0f6f83', white: '#6b6f76',
  brightBlack: '#595d65', brightRed: '#b3261e', brightGreen: '#1a7640', brightYellow: '#8a5a00', brightBlue: '#2a5bd0', brightMagenta: '#8a3ea8', brightCyan: '#0f6f83', brightWhite: '#1b1c1f',
}

export function createScreen(api: Api, terminalId: string, settings: Settings, host: ScreenHost): Screen {
  const terminal = new Terminal({ allowProposedApi: true, cursorBlink: false, scrollback: 10_000, ...optionsFrom(settings) })
  const fit = new FitAddon()
  const search = new SearchAddon()
  terminal.loadAddon(fit)
  terminal.loadAddon(search)
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  terminal.loadAddon(new ClipboardAddon())
  terminal.loadAddon(new WebLinksAddon((_event, url) => host.onLink(url)))
  const state = { copyOnSelect: settings.copyOnSelect ?? false }

  const stream = api.openTerminal(terminalId, (message) => {
    if (message.type === 'replay') {
      terminal.reset()
      terminal.write(message.data)
    } else if (message.type === 'data') {
      // Taken only when it is on the screen: so a flood never piles up here.
      terminal.write(message.data, () => stream.send({ type: 'taken', bytes: message.data.length }))
    } else host.onExit(message.exitCode)
  })
  terminal.onData((data) => stream.send({ type: 'input', data }))
  terminal.onBinary((data) => stream.send({ type: 'input', data }))
  terminal.onResize(({ cols, rows }) => stream.send({ type: 'resize', cols, rows }))
  terminal.onSelectionChange(() => {
    if (state.copyOnSelect && terminal.hasSelection()) void navigator.clipboard.writeText(terminal.getSelection())
  })
  const paste = async () => {
    const text = await navigator.clipboard.readText()
    const lines = text.split('\n').length
    if (terminal.modes.bracketedPasteMode || lines < 2 || host.confirmPaste(lines)) terminal.paste(text)
  }
  // Only what no program in the terminal can need: Ctrl+Shift is not sent to it.
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown' || !event.ctrlKey || !event.shiftKey) return true
    if (event.code === 'KeyC') {
      if (terminal.hasSelection()) void navigator.clipboard.writeText(terminal.getSelection())
    } else if (event.code === 'KeyV') void paste()
    else if (event.code === 'KeyF') host.onSearch()
    else return true
    event.preventDefault()
    return false
  })

  return {
    mount(element) {
      terminal.open(element)
      try {
        const webgl = new WebglAddon()
        webgl.onContextLoss(() => webgl.dispose())
        terminal.loadAddon(webgl)
      } catch {
        // Without WebGL the DOM renderer draws; slower, and the same to look at.
      }
      fit.fit()
    },
    fit: () => fit.fit(),
    focus: () => terminal.focus(),
    search: (text, forward) => void (forward ? search.findNext(text) : search.findPrevious(text)),
    apply(changed) {
      state.copyOnSelect = changed.copyOnSelect ?? false
      Object.assign(terminal.options, optionsFrom(changed))
      fit.fit()
    },
    dispose() {
      stream.close()
      terminal.dispose()
    },
  }
}

function optionsFrom({ terminalFont, terminalFontSize, screenReader, theme }: Settings) {
  const isDark = theme === 'dark' || (theme !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches)
  return {
    fontFamily: terminalFont ?? "ui-monospace, 'DejaVu Sans Mono', monospace",
    fontSize: terminalFontSize ?? 13,
    screenReaderMode: screenReader ?? false,
    theme: isDark ? dark : light,
    minimumContrastRatio: 4.5,
  }
}
