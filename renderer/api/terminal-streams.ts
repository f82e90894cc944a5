import type { TerminalDown } from '../../shared/contract/window-contract.ts'
import type { Api, TerminalStream } from './api.ts'

/** A stream that is open, and what came of it so far. */
interface Expected {
  stream: TerminalStream
  held: TerminalDown[]
  onMessage: ((message: TerminalDown) => void) | null
}

/** Streams of terminals that can be opened before they have a screen. @param open opens one to the main process */
export function createTerminalStreams(open: Api['openTerminal']): Pick<Api, 'openTerminal' | 'expectTerminal'> {
  const expected = new Map<string, Expected>()
  return {
    expectTerminal(terminalId, onWords) {
      const hear = (message: TerminalDown) => {
        if (one.onMessage) return one.onMessage(message)
        one.held.push(message)
        // An end without a word is told by whoever started the terminal.
        if (message.type === 'data') onWords()
      }
      const one: Expected = { held: [], onMessage: null, stream: open(terminalId, hear) }
      expected.set(terminalId, one)
      return () => {
        if (expected.delete(terminalId)) one.stream.close()
      }
    },
    openTerminal(terminalId, onMessage) {
      const one = expected.get(terminalId)
      if (one === undefined) return open(terminalId, onMessage)
      expected.delete(terminalId)
      let isClosed = false
      // Not now: whoever opens a stream has it in hand before anything comes.
      queueMicrotask(() => {
        if (isClosed) return
        for (const message of one.held.splice(0)) onMessage(message)
        one.onMessage = onMessage
      })
      return {
        send: one.stream.send,
        close() {
          isClosed = true
          one.stream.close()
        },
      }
    },
  }
}
