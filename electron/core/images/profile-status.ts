import { join } from 'node:path'
import { capsOf, noCaps } from '../../../shared/domain/caps.ts'
import { findingsOf } from '../../../shared/domain/findings.ts'
import type { ProfileStatus } from '../../../shared/domain/profile.ts'
import { parseRunLabel } from '../../../shared/domain/run-label.ts'
import { toErrorReport } from '../../../shared/errors/paddock-error.ts'
import { assess, baseOf, runLabelOf, type Workshop } from './assess.ts'
import type { Profile } from '../profiles/find-profiles.ts'

/** How a profile stands; one that is broken is described with its error and never thrown. */
export async function profileStatus(workshop: Workshop, { name, image, source, folder }: Profile): Promise<ProfileStatus> {
  const known = { name, image, source, file: join(folder, 'Containerfile') }
  try {
    const assessment = await assess(workshop, { name, image, source, folder })
    return { ...known, state: assessment.state, reasons: assessment.reasons, base: baseOf(assessment), ...judgeLabel(runLabelOf(assessment)) }
  } catch (error) {
    return { ...known, state: 'missing', reasons: [], caps: noCaps, runnable: false, findings: [], base: null, error: toErrorReport(error).message }
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
