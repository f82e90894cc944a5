import { ClipboardAddon } from '@xterm/addon-clipboard'
import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { WebglAddon } from '@xterm/addon-webgl'
import { Terminal } from '@xterm/xterm'
import type { TerminalDown } from '../../../shared/contract/window-contract.ts'
import type { Settings } from '../../../shared/domain/settings.ts'
import type { Api } from '../../api/api.ts'
import { isRiskyPaste, terminalLook } from './terminal-look.ts'

/** What a terminal asks of the window around it. */
export interface ScreenHost {
  onExit(exitCode: number | null): void
  /** A link was clicked; the person is asked before anything opens. */
  onLink(url: string): void
  onSearch(): void
  /** Lines for a program that would run each at once; nothing is pasted yet. */
  onRiskyPaste(text: string): void
  onTrouble(message: string): void
}

/** One xterm.js screen on one terminal of the main process. */
export interface Screen {
  mount(element: HTMLElement): void
  /** To be called when the element may have another size. */
  fit(): void
  /** To be called when it comes into sight; draws all of it and takes the focus. */
  show(): void
  /** To be called when it is out of sight; gives the graphics context back, of which a page has few. */
  hide(): void
  paste(text: string): void
  /** @returns whether anything was found */
  search(text: string, isForward: boolean): boolean
  endSearch(): void
  apply(settings: Settings): void
  dispose(): void
}

export function createScreen(api: Api, terminalId: string, settings: Settings, host: ScreenHost): Screen {
  const look = (from: Settings) => terminalLook(from, window.matchMedia('(prefers-color-scheme: dark)').matches)
  const terminal = new Terminal({ allowProposedApi: true, cursorBlink: false, scrollback: 10_000, ...look(settings) })
  const fitAddon = new FitAddon()
  const search = new SearchAddon()
  terminal.loadAddon(fitAddon)
  terminal.loadAddon(search)
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  // A program may put text on the clipboard; it must never read what the person has there.
  terminal.loadAddon(new ClipboardAddon(undefined, { readText: () => '', writeText: (_selection, text) => write(text) }))
  terminal.loadAddon(new WebLinksAddon((_event, url) => host.onLink(url)))
  const state: { copyOnSelect: boolean; isReplaying: boolean; element: HTMLElement | null; webgl: WebglAddon | null } = {
    copyOnSelect: settings.copyOnSelect ?? false, isReplaying: false, element: null, webgl: null,
  }

  const write = (text: string) => navigator.clipboard.writeText(text).catch(() => host.onTrouble('The clipboard could not be written.'))
  const fit = () => {
    // Without a box it would come out as a terminal of two columns.
    if (state.element?.offsetParent && !state.isReplaying) fitAddon.fit()
  }
  const replay = ({ data, cols, rows }: Extract<TerminalDown, { type: 'replay' }>) => {
    // Drawn at the size at which it was recorded, or its lines would break at other places.
    state.isReplaying = true
    terminal.reset()
    terminal.resize(cols, rows)
    terminal.write(data, () => {
      state.isReplaying = false
      fit()
    })
  }
  const stream = api.openTerminal(terminalId, (message) => {
    if (message.type === 'replay') replay(message)
    // Taken only when it is on the screen: so a flood never piles up here.
    else if (message.type === 'data') terminal.write(message.data, () => stream.send({ type: 'taken', bytes: message.data.length }))
    else host.onExit(message.exitCode)
  })
  const input = (data: string) => stream.send({ type: 'input', data })
  terminal.onData(input)
  terminal.onBinary(input)
  terminal.onResize(({ cols, rows }) => !state.isReplaying && stream.send({ type: 'resize', cols, rows }))
  terminal.onSelectionChange(() => {
    if (state.copyOnSelect && terminal.hasSelection()) void write(terminal.getSelection())
  })
  const offerPaste = (text: string) => {
    if (isRiskyPaste(text, terminal.modes.bracketedPasteMode)) host.onRiskyPaste(text)
    else terminal.paste(text)
  }
  // Only what no program in the terminal can need: Ctrl+Shift is not sent to it.
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown' || !event.ctrlKey || !event.shiftKey) return true
    if (event.code === 'KeyC') {
      if (terminal.hasSelection()) void write(terminal.getSelection())
    } else if (event.code === 'KeyV') {
      navigator.clipboard.readText().then(offerPaste, () => host.onTrouble('The clipboard could not be read.'))
    } else if (event.code === 'KeyF') host.onSearch()
    else return true
    event.preventDefault()
    return false
  })
  // The middle button and Shift+Insert come as this event; they get the same question.
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    offerPaste(event.clipboardData?.getData('text/plain') ?? '')
  }

  return {
    mount(element) {
      state.element = element
      element.addEventListener('paste', onPaste, true)
      terminal.open(element)
      fit()
    },
    fit,
    show() {
      if (!state.webgl) state.webgl = loadWebgl(terminal, () => (state.webgl = null))
      fit()
      terminal.refresh(0, terminal.rows - 1)
      terminal.focus()
    },
    hide() {
      state.webgl?.dispose()
      state.webgl = null
    },
    paste(text) {
      terminal.paste(text)
      terminal.focus()
    },
    search: (text, isForward) => (isForward ? search.findNext(text) : search.findPrevious(text, { incremental: true })),
    endSearch() {
      search.clearDecorations()
      terminal.focus()
    },
    apply(changed) {
      state.copyOnSelect = changed.copyOnSelect ?? false
      Object.assign(terminal.options, look(changed))
      fit()
    },
    dispose() {
      state.element?.removeEventListener('paste', onPaste, true)
      stream.close()
      terminal.dispose()
    },
  }
}

/** Without WebGL the DOM renderer draws; slower, and the same to look at. */
function loadWebgl(terminal: Terminal, onLoss: () => void): WebglAddon | null {
  try {
    const webgl = new WebglAddon()
    webgl.onContextLoss(() => {
      webgl.dispose()
      onLoss()
    })
    terminal.loadAddon(webgl)
    return webgl
  } catch {
    return null
  }
}
