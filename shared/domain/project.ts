/** Folders that decide whether a project may be opened; absolute, links resolved. */
export interface ReservedFolders {
  home: string
  /** Paddock's config, data, state, cache and runtime folders. */
  own: string[]
}

/** Folders of the system or of several people: a project may lie in some of them, but is none. */
const systemFolders = new Set(['/bin', '/boot', '/dev', '/etc', '/home', '/lib', '/lib64', '/media', '/mnt', '/opt', '/proc', '/root', '/run', '/sbin', '/srv', '/sys', '/tmp', '/usr', '/var', '/var/lib', '/var/tmp'])
/** Nothing in these is a project: the kernel's own files, and sockets. Removable media are mounted in /run/media. */
const closedFolder = /^\/(proc|sys|dev|etc|boot)\/|^\/run\/(?!media\/)/
const keyFolders = ['.ssh', '.gnupg', '.aws', '.kube']

/** Why a folder cannot be a project, or null when it can. Pure text on resolved absolute paths. */
export function refuseProject(folder: string, reserved: ReservedFolders): string | null {
  if (folder === '/') return 'it is the root of the file system'
  if (folder === reserved.home) return 'it is your home folder, with everything in it'
  if (contains(folder, reserved.home)) return `it holds your home folder ${reserved.home}`
  if (systemFolders.has(folder) || closedFolder.test(folder)) return 'it belongs to the system'
  if (keyFolders.some((name) => contains(`${reserved.home}/${name}`, folder))) return 'it holds your keys'
  const own = reserved.own.find((path) => contains(folder, path) || contains(path, folder))
  if (own === undefined) return null
  return contains(folder, own) ? `it holds Paddock’s own folder ${own}` : `it lies inside Paddock’s own folder ${own}`
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
