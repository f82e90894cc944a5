import type { Terminal, View } from './terminal.ts'

const podmanWarning = /^(Resource limits are not supported|time=|WARN)/

/**
 * Listens to a terminal that was just opened. What it has said by then comes as it was written: a replay's lines are
 * drawn with cursor movements instead of line ends, and what the sandbox says would stand behind Podman's warnings.
 * @returns `heard` settles when a line has come that is not Podman's own
 */
export function firstWords(terminal: Terminal): { heard: Promise<void>; close: () => void } {
  let view: View
  const heard = new Promise<void>((resolve) => {
    let said = ''
    view = terminal.view({
      onReplay: () => {},
      onData(data) {
        view.taken(data.length)
        said += Buffer.from(data).toString()
        const first = said.split(/\r?\n/).find((line) => line.trim() !== '' && !podmanWarning.test(line))
        if (first !== undefined && !first.startsWith('Error:')) resolve()
      },
      onExit: () => {},
    })
  })
  return { heard, close: () => view.close() }
}
