import { workspaceLimits } from './workspace-limits.ts'

/**
 * Judges a path that an agent names, before the guest does so again with the files themselves. Pure.
 * @returns why it is refused, a sentence that says what to do; null when nothing speaks against its text
 */
export function refuseWorkspacePath(path: string): string | null {
  if (path === '') return 'The path is empty: "." is the workspace itself.'
  if (path.includes('\0')) return 'The path holds a NUL character, which no name can.'
  if (path.length > workspaceLimits.pathCharacters) return `The path is longer than ${workspaceLimits.pathCharacters} characters.`
  if (path.startsWith('/')) return `"${path}" is absolute: name a path relative to the workspace, such as "src/main.ts".`
  if (path.split('/').includes('..')) return `"${path}" holds "..": name a path inside the workspace, from its top.`
  if (/\p{Surrogate}/u.test(path)) return 'The path is not valid Unicode.'
  return null
}
