/** A word as a POSIX shell would need it; plain words stay as they are. Source: POSIX.1-2024, Shell Command Language 2.2. */
export function quoteForShell(word: string): string {
  return /^[A-Za-z0-9_./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
