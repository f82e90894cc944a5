/**
 * A word that a POSIX shell reads as itself; one that needs no quotes gets none. An assignment does, where it would be one.
 * Pure. Source: POSIX.1-2024, Shell Command Language 2.2.
 */
export function quoteWord(word: string): string {
  return /^(?!=|[A-Za-z_]\w*=)[\w@%+:,.=/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
