import { accessSync, constants } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where distributions put it: sbin, which is not on an ordinary user's path. */
const systemPlaces = ['/usr/sbin/nft', '/sbin/nft', '/usr/local/sbin/nft', '/usr/bin/nft']

/**
 * Finds nft, by an absolute path: a private Podman has its own beside it.
 * @param podmans paths of Podman, those that are looked beside first
 * @returns null when there is none that can be executed
 */
export function findNft(podmans: readonly string[], places: readonly string[] = systemPlaces): string | null {
  for (const place of [...podmans.filter((podman) => podman.startsWith('/')).map((podman) => join(dirname(podman), 'nft')), ...places]) {
    if (isProgram(place)) return place
  }
  return null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
