import { join } from 'node:path'

/**
 * The profiles that come with Paddock lie beside the bundles. A packaged app's bundles are in an archive, into which Podman
 * cannot look: there the profiles are unpacked beside it.
 * @param bundles folder of the running bundle
 */
export function bundledProfilesFolder(bundles: string): string {
  return join(bundles, '../profiles').replace('/app.asar/', '/app.asar.unpacked/')
}
