import { ClipboardAddon } from '@xterm/addon-clipboard'
import { type ISearchOptions, SearchAddon } from '@xterm/addon-search'
import type { ITerminalOptions } from '@xterm/xterm'
import type { Api } from '../../api/api.ts'
import { createPaste } from './paste.ts'
import { createRenderer } from './renderer-choice.ts'
import { surfaces } from './surface.ts'
import { searchColours } from './terminal-theme.ts'

/** What a terminal asks of the window around it. */
export interface ScreenHost {
  onExit(exitCode: number | null): void
  /** A link was clicked; the person is asked before anything opens. */
  onLink(url: string): void
  onSearch(): void
  /** A paste whose lines would run at once. */
  onRiskyPaste(text: string, lines: number): void
  onResults(results: { at: number; count: number }): void
  /** Whether selecting copies; asked each time. */
  isCopyOnSelect(): boolean
}

/** One xterm.js screen on one terminal of the main process. */
export interface Screen {
  /** Fits the size and draws with the fast renderer. */
  show(): void
  /** Gives the fast renderer back: a page may have only so many. */
  hide(): void
  fit(): void
  focus(): void
  /** Whether it is where the keys go when the terminals are gone to. */
  setActive(isActive: boolean): void
  paste(text: string): void
  /** Sends keys as if they had been typed. */
  type(data: string): void
  search(text: string, direction: 'next' | 'previous', isTyping?: boolean): void
  endSearch(): void
  apply(options: ITerminalOptions): void
  dispose(): void
}

export function createScreen(api: Api, terminalId: string, element: HTMLElement, options: ITerminalOptions, host: ScreenHost): Screen {
  const surface = surfaces.take(element, options)
  const { terminal, fit } = surface
  surface.onLink = host.onLink
  const search = new SearchAddon()
  terminal.loadAddon(search)
  // OSC 52: a program may set the clipboard, as in other terminals, but what lies there is none of its business.
  terminal.loadAddon(new ClipboardAddon(undefined, { readText: () => '', writeText: (_kind, text) => copyFromProgram(text) }))

  const copyFromProgram = async (text: string) => {
    if (document.hasFocus() && element.contains(document.activeElement)) await navigator.clipboard.writeText(text)
  }
  const paste = createPaste(element, (text) => terminal.paste(text), () => terminal.modes.bracketedPasteMode, host.onRiskyPaste)
  const renderer = createRenderer(terminal)
  let isReplaying = true

  const stream = api.openTerminal(terminalId, (message) => {
    if (message.type === 'replay') {
      isReplaying = true
      if (!surface.isBlank) terminal.reset()
      terminal.resize(message.cols, message.rows)
      terminal.write(message.data, () => {
        isReplaying = false
        fitNow()
      })
      surface.isBlank = false
    } else if (message.type === 'data') {
      // Taken only when it is on the screen, so a flood never piles up here.
      terminal.write(message.data, () => stream.send({ type: 'taken', bytes: message.data.length }))
    } else terminal.write('', () => host.onExit(message.exitCode))
  })

  const fitNow = () => {
    // Escape sequences of a replay hold for the size that they were written for; a hidden box has none.
    if (!isReplaying && element.offsetParent !== null) fit.fit()
  }
  terminal.onData((data) => stream.send({ type: 'input', data }))
  terminal.onBinary((data) => stream.send({ type: 'input-bytes', data }))
  terminal.onResize(({ cols, rows }) => !isReplaying && stream.send({ type: 'resize', cols, rows }))
  terminal.onSelectionChange(() => {
    if (host.isCopyOnSelect() && terminal.hasSelection()) copySelection()
  })
  search.onDidChangeResults(({ resultIndex, resultCount }) => host.onResults({ at: resultIndex + 1, count: resultCount }))
  const copySelection = () => {
    const text = terminal.getSelection()
    if (text !== '') void navigator.clipboard.writeText(text)
  }
  terminal.attachCustomKeyEventHandler((event) => {
    const { type, ctrlKey, shiftKey, altKey, code } = event
    // F6 moves between the parts of the window; it never reaches the program.
    if (code === 'F6') return false
    if (!ctrlKey || altKey) return true
    const isOurs = shiftKey ? ['KeyC', 'KeyV', 'KeyF', 'KeyL', 'KeyT', 'KeyD', 'KeyS', 'KeyW', 'PageUp', 'PageDown'].includes(code) : code === 'KeyK' || /^Digit[1-9]$/.test(code)
    if (!isOurs) return true
    if (type !== 'keydown' || !shiftKey) return false
    event.preventDefault()
    if (code === 'KeyC') copySelection()
    else if (code === 'KeyV') void navigator.clipboard.readText().then(paste.offer)
    else if (code === 'KeyF') host.onSearch()
    return false
  })

  const find = (text: string, direction: 'next' | 'previous', isTyping: boolean) => {
    const how: ISearchOptions = { incremental: isTyping, decorations: searchColours(terminal.options.theme) }
    if (direction === 'next') search.findNext(text, how)
    else search.findPrevious(text, how)
  }

  return {
    show() {
      renderer.start()
      fitNow()
    },
    hide: renderer.stop,
    fit: fitNow,
    focus: () => terminal.focus(),
    setActive: (isActive) => void terminal.textarea?.toggleAttribute('data-region-focus', isActive),
    paste: (text) => terminal.paste(text),
    type: (data) => terminal.input(data),
    search: (text, direction, isTyping = false) => find(text, direction, isTyping),
    endSearch() {
      search.clearDecorations()
      terminal.focus()
    },
    apply(changed) {
      Object.assign(terminal.options, changed)
      fitNow()
    },
    dispose() {
      paste.dispose()
      stream.close()
      renderer.stop()
      terminal.dispose()
    },
  }
}
