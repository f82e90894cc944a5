import { launchNameOf } from '../../shared/domain/try-folder.ts'
import type { AppState } from './slice.ts'

/** The project that launching means now. */
export function currentProject({ view, open, sandboxes }: AppState): string | null {
  if (view.kind === 'project') return view.folder
  if (view.kind !== 'sandbox') return null
  const project = open[view.id]?.project ?? sandboxes?.find(({ id }) => id === view.id)?.project ?? null
  return project && launchNameOf(project)
}
