import type { TerminalSize } from '../../shared/contract/window-contract.ts'
import type { GuestProcess } from '../core/guest/guest-process.ts'

/** Told to this process alone by others; a terminal's own keys go to the guest as bytes where it has a terminal. */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const

/** Columns and rows of this process's terminal. */
export function terminalSize(): TerminalSize {
  return { cols: process.stdout.columns || 80, rows: process.stdout.rows || 24 }
}

/**
 * Gives a program in the guest this process's stdin, stdout and stderr, and the signals that it gets, until it ends.
 * @param isTerminal the program has a terminal: keys go to it one by one, and it follows the size of this one
 * @returns its exit code
 * @throws {PaddockError} `channel-lost`
 */
export async function joinTerminal(guest: GuestProcess, isTerminal: boolean): Promise<number> {
  const { stdin, stdout, stderr } = process
  const handlers = passedOn.map((name) => [name, () => guest.signal(name)] as const)
  for (const [name, handler] of handlers) process.on(name, handler)
  const resize = () => guest.resize(terminalSize())
  const isRaw = isTerminal && stdin.isTTY
  if (isRaw) stdin.setRawMode(true)
  if (isTerminal) stdout.on('resize', resize)
  // A program that ends without reading closes its input; its end tells all.
  guest.stdin.on('error', () => {})
  stdin.pipe(guest.stdin)
  guest.stdout.pipe(stdout, { end: false })
  guest.stderr.pipe(stderr, { end: false })
  try {
    return (await guest.exit).exitCode
  } finally {
    if (isRaw) stdin.setRawMode(false)
    stdin.unpipe(guest.stdin)
    // An open stdin would keep this process from ending.
    stdin.destroy()
    stdout.off('resize', resize)
    for (const [name, handler] of handlers) process.off(name, handler)
  }
}
