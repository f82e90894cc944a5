import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { type HostFolder, openHostFolder } from './host-folder.ts'

/**
 * Opens a folder that has to lie in another one. Links on the way are followed; where they led is asked of the folder
 * that was opened, so one that is put there meanwhile leads no further.
 * @param root absolute real path
 * @param path absolute
 * @returns null when it lies elsewhere, or there is none
 */
export async function openInside(root: string, path: string): Promise<HostFolder | null> {
  const folder = await openHostFolder(path, []).catch(ifNone)
  const place = await folder?.realPath()
  if (place === root || place?.startsWith(root === '/' ? root : `${root}/`)) return folder
  await folder?.close()
  return null
}

function ifNone(error: unknown): null {
  if (error instanceof PaddockError) return null
  throw error
}
