import { styleText } from 'node:util'
import type { Progress } from '../../shared/contract/contract.ts'
import { invisible, plain, unicodeEscape } from '../../shared/domain/plain-text.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'

export { plain }

type Format = Parameters<typeof styleText>[0]

/** Colour only for a person at a terminal; `NO_COLOR` as on no-color.org. */
function styled(stream: NodeJS.WriteStream, format: Format, text: string): string {
  return stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb' ? styleText(format, text) : text
}

/** Progress belongs on stderr: stdout is for data. */
export function printProgress({ kind, text }: Progress): void {
  // A copy has a line of its own, which is drawn again.
  if (kind === 'copied') return
  // A carriage return redraws the line: its last drawing is the one to keep.
  const last = text.slice(text.trimEnd().lastIndexOf('\r') + 1).trimEnd()
  const line = kind === 'log' ? styled(process.stderr, 'dim', `  ${plain(last)}`) : kind === 'step' ? styled(process.stderr, 'bold', plain(text)) : note(text)
  process.stderr.write(`${line}\n`)
}

/** A sentence that the person should see before or beside the work. */
export function printNote(text: string): void {
  process.stderr.write(`${note(text)}\n`)
}

/** A remark for a person at a terminal; none for programs. */
export function printRemark(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${styled(process.stderr, 'dim', plain(text))}\n`)
}

function note(text: string): string {
  return `${styled(process.stderr, 'yellow', 'note:')} ${plain(text)}`
}

/** What happened, what to do, and where it helps the command with the end of its output. */
export function printError({ code, message, hint, command, stderrTail }: ErrorReport): void {
  const lines = [`${styled(process.stderr, 'red', 'paddock:')} ${plain(message)}`]
  if (hint) lines.push(`  ${plain(hint)}`)
  if (command) lines.push(styled(process.stderr, 'dim', `  command: ${plain(command.join(' '))}`))
  // A build was shown line by line as it went.
  if (stderrTail && code !== 'build-failed') lines.push(...stderrTail.split('\n').map((line) => styled(process.stderr, 'dim', `  | ${plain(line)}`)))
  process.stderr.write(`${lines.join('\n')}\n`)
}

/** A listing: JSON for programs (asked for, or stdout is no terminal), else columns for a person. */
export function printListing<T>(rows: readonly T[], isJson: boolean, columns: Record<string, (row: T) => string>, empty: string): void {
  if (isJson || !process.stdout.isTTY) return printJson(rows)
  if (rows.length === 0) return printNote(empty)
  const titles = Object.keys(columns)
  const cells = rows.map((row) => titles.map((title) => plain(columns[title]!(row))))
  const widths = titles.map((title, at) => Math.max(title.length, ...cells.map((row) => row[at]!.length)))
  const format = (row: readonly string[]) => row.map((cell, at) => cell.padEnd(widths[at]!)).join('  ').trimEnd()
  process.stdout.write([styled(process.stdout, 'bold', format(titles)), ...cells.map(format), ''].join('\n'))
}

/** Prints JSON on stdout. */
export function printJson(value: unknown): void {
  process.stdout.write(`${safeJson(value, 2)}\n`)
}

/** Prints JSON on one line of stdout, for programs that read a line each. */
export function printJsonLine(value: unknown): void {
  process.stdout.write(`${safeJson(value)}\n`)
}

/** JSON itself escapes only the older control characters; the newer ones steer terminals too. */
function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/[\u007f-\u009f]/g, unicodeEscape).replace(invisible, unicodeEscape)
}
