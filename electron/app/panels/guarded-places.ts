import { writablePlaces } from '../../core/sandboxes/writable-places.ts'
import type { PanelServices } from '../panel-handlers.ts'

/**
 * Where whoever is in a sandbox may have put a link in the way of what a person saves: mounts, homes, and the projects
 * that were opened, whose sandboxes may have ended.
 * @returns absolute real paths
 * @throws {PaddockError} `podman-missing`, `podman-failed`
 */
export async function guardedPlaces({ core, projects }: Pick<PanelServices, 'core' | 'projects'>): Promise<string[]> {
  return writablePlaces(core.podman, [core.paths.homesFolder, ...(await projects.list()).map(({ folder }) => folder)])
}
