import { capsOf, noCaps } from '../../../shared/domain/caps.ts'
import { findingsOf } from '../../../shared/domain/findings.ts'
import type { ProfileStatus } from '../../../shared/domain/profile.ts'
import { parseRunLabel } from '../../../shared/domain/run-label.ts'
import { toErrorReport } from '../../../shared/errors/paddock-error.ts'
import { assess, type Workshop } from '../images/refresh.ts'
import { runLabelOf } from './definition.ts'
import type { Profile } from './find-profiles.ts'

/** How a profile stands; one that is broken is described with its error and never thrown. */
export async function profileStatus(workshop: Workshop, { name, image, source, folder }: Profile): Promise<ProfileStatus> {
  const known = { name, image, source }
  try {
    const { state, reasons, definition, image: built } = await assess(workshop, { name, image, source, folder })
    const label = runLabelOf(definition) ?? built?.labels.run
    return { ...known, state, reasons, ...judgeLabel(label) }
  } catch (error) {
    return { ...known, state: 'missing', reasons: [], caps: noCaps, runnable: false, findings: [], error: toErrorReport(error).message }
  }
}

function judgeLabel(label: string | undefined): Pick<ProfileStatus, 'caps' | 'runnable' | 'findings' | 'error'> {
  if (label === undefined) return { caps: noCaps, runnable: false, findings: [], error: null }
  try {
    const parsed = parseRunLabel(label)
    return { caps: capsOf(parsed.options), runnable: true, findings: findingsOf(parsed), error: null }
  } catch (error) {
    return { caps: noCaps, runnable: false, findings: [], error: toErrorReport(error).message }
  }
}
