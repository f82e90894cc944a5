import { quoteWord } from './quote-word.ts'

/** A command for the guest, as words. */
export interface GuestCommand {
  /** The program and its arguments; never read by a shell as anything but words. */
  argv: readonly string[]
  /** Where it starts; absent means where the shell of a login starts, the home. */
  cwd?: string | undefined
}

/** The shell's code for a program that was found but cannot be started: what a folder that cannot be entered gives too. */
const cannotStart = 126

/**
 * The text that makes a POSIX shell become exactly this command: signals and the exit code are the program's own. Pure.
 * @throws {RangeError} for no words, and for a NUL, which no word can hold
 */
export function shellTextOf({ argv, cwd }: GuestCommand): string {
  if (argv.length === 0) throw new RangeError('A command needs a word.')
  if ([...argv, cwd ?? ''].some((word) => word.includes('\0'))) throw new RangeError('No word of a command can hold a NUL.')
  const enter = cwd === undefined ? '' : `cd -- ${quoteWord(pathWord(cwd))} || exit ${cannotStart}; `
  return `${enter}exec ${argv.map(quoteWord).join(' ')}`
}

/** The text that makes a POSIX shell become the account's login shell, in a folder if that can be entered. Pure. */
export function loginShellText(cwd: string): string {
  return `cd -- ${quoteWord(pathWord(cwd))}; exec "\${SHELL:-/bin/sh}" -l`
}

/** `cd -` goes elsewhere, even behind `--`. */
const pathWord = (path: string) => (path === '-' ? './-' : path)

/** Variables that a login gives its own values; and TERM belongs to the terminal. */
const ofTheLogin = new Set(['HOME', 'USER', 'LOGNAME', 'SHELL', 'PWD', 'OLDPWD', 'TERM', 'SHLVL', 'MAIL', '_'])

/**
 * The variables of a sandbox that its sessions get too, since sshd hands none of them on. Pure.
 * @param entries `NAME=value`, as Podman lists them
 */
export function sessionEnvironment(entries: readonly string[]): Record<string, string> {
  const pairs = entries.flatMap((entry) => {
    const at = entry.indexOf('=')
    const name = entry.slice(0, Math.max(at, 0))
    return /^[A-Za-z_]\w*$/.test(name) && !ofTheLogin.has(name) && !entry.includes('\0') ? [[name, entry.slice(at + 1)] as const] : []
  })
  return Object.fromEntries(pairs)
}

/**
 * Keeps Debian's bash, which takes a command over SSH for a login, from reading the home's `.bashrc` first: what it
 * prints would be in the command's output, and what it takes in the command's time.
 */
export const quietShell = { SHLVL: '1' } as const
