/** One end of a copy: a path of this machine, or one in a sandbox. */
export type CopyPlace = { kind: 'host'; path: string } | { kind: 'guest'; id: string; path: string }

/** Reads `ID:PATH`; a path of this machine with a colon in it needs a slash before. Pure. */
export function parseCopyPlace(text: string): CopyPlace {
  const [, id, path] = /^([0-9a-f]{1,64}):(.*)$/s.exec(text) ?? []
  return id === undefined ? { kind: 'host', path: text } : { kind: 'guest', id, path: path! }
}

const maxNameBytes = 255

/** Whether a name that a guest tells may become a file's name here: one level, and not what means another one. Pure. */
export function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\0\ufffd]/.test(name) && new TextEncoder().encode(name).length <= maxNameBytes
}

/**
 * Whether a link stays in the tree that is copied. Only steps up at its beginning count, no more than it lies deep: the
 * folders above it are real ones, while a later `..` would step up from wherever another link has led. Pure.
 * @param depth number of folders between the tree's top and the link
 */
export function isInnerLink(target: string, depth: number): boolean {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return false
  const steps = target.split('/').filter((step) => step !== '' && step !== '.')
  const up = steps.findIndex((step) => step !== '..')
  return up === -1 ? steps.length <= depth : up <= depth && !steps.slice(up).includes('..')
}

/** The last name of a path; empty where there is none that could be a file's. Pure. */
export function lastName(path: string): string {
  const name = path.split('/').findLast((step) => step !== '') ?? ''
  return name === '.' || name === '..' ? '' : name
}

/** A name that several have; null when each has its own. Pure. */
export const repeatedName = (names: readonly string[]): string | null => names.find((name, at) => names.indexOf(name) !== at) ?? null

/** Permissions that a copy keeps: never set-uid, set-gid or sticky. Pure. */
export const keptMode = (mode: number) => mode & 0o777
