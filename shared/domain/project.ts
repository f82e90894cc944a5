/** Folders that decide whether a project may be opened; absolute, links resolved. */
export interface ReservedFolders {
  home: string
  /** Paddock's config, data, state, cache and runtime folders. */
  own: string[]
}

/** Why a folder cannot be a project, or null when it can. Pure text on resolved absolute paths. */
export function refuseProject(folder: string, reserved: ReservedFolders): string | null {
  if (folder === '/') return 'it is the root of the file system'
  if (folder === reserved.home) return 'it is your home folder, with everything in it'
  if (contains(folder, reserved.home)) return `it holds your home folder ${reserved.home}`
  const own = reserved.own.find((path) => contains(folder, path) || contains(path, folder))
  if (own === undefined) return null
  return contains(folder, own) ? `it holds Paddock’s own folder ${own}` : `it lies inside Paddock’s own folder ${own}`
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
