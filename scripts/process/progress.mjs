import { StringDecoder } from 'node:string_decoder'

/** Tells the person one thing. Always stderr: stdout belongs to the command that is started in the end. */
export function say(text) {
  process.stderr.write(`paddock: ${text}\n`)
}

/**
 * Shows what a child prints: on a terminal folded into one line that is rewritten, elsewhere line by line.
 *
 * @param {{ write(text: string): unknown, isTTY?: boolean, columns?: number }} [stream]
 */
export function createProgress(stream = process.stderr) {
  const isTerminal = stream.isTTY === true
  return {
    /** Whether what was shown is gone afterwards. */
    isFolded: isTerminal,
    show(line) {
      if (!isTerminal) stream.write(`  ${line}\n`)
      // One column is left free: a full line would wrap, and the next rewrite would leave its first half behind.
      else stream.write(`\r\x1b[2K  ${line.slice(0, (stream.columns || 80) - 3)}`)
    },
    end() {
      if (isTerminal) stream.write('\r\x1b[2K')
    },
  }
}

/**
 * Splits a byte stream into printable lines. Characters cut in two by a chunk border are joined again.
 *
 * @param {(line: string) => void} onLine called for each line that is not blank
 * @param {boolean} [isLive] whether each state of a progress bar, which a carriage return ends, is a line too; otherwise
 * only its last one is
 */
export function createLineSplitter(onLine, isLive = false) {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  const emit = (line) => {
    const clean = stripControls(line.trimEnd().split('\r').at(-1)).trimEnd()
    if (clean.trim()) onLine(clean)
  }
  return {
    push(chunk) {
      const parts = (rest + decoder.write(chunk)).split(isLive ? /[\r\n]+/ : /\n/)
      rest = parts.pop() ?? ''
      for (const part of parts) emit(part)
    },
    end() {
      emit(rest + decoder.end())
      rest = ''
    },
  }
}

/** Removes colours and control characters: a child's output must not move the cursor of a folded line. */
export function stripControls(text) {
  return text.replace(/\x1b\[[0-?]*[ -/]*[@-~]/g, '').replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '')
}
