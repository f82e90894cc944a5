import { placeOf } from '../../containerfile/edit.ts'
import type { TextFinding } from '../../text-finding.ts'
import type { ProfileForm } from '../profile-form.ts'
import { labelFindings } from './label-rules.ts'
import { stepFindings } from './step-rules.ts'
import { syntaxFindings } from './syntax-rules.ts'

/** A finding before its place is counted out. */
export type Found = Omit<TextFinding, 'line' | 'column'>

const ranks = { error: 0, warning: 1, note: 2 }

/** Judges a Containerfile as far as its text tells, in the order of the file. Pure; cheap enough for every keystroke. */
export function lintProfile(form: ProfileForm): TextFinding[] {
  const { source } = form
  const found = [...syntaxFindings(source), ...labelFindings(form), ...stepFindings(source)]
  return placeFindings(source.text, found)
}

/** Findings with their lines and columns, in the order of the file. Pure. */
export function placeFindings(text: string, found: readonly Found[]): TextFinding[] {
  return [...found].sort((a, b) => a.start - b.start || ranks[a.level] - ranks[b.level]).map((one) => ({ ...one, ...placeOf(text, one.start) }))
}

/** Whether a lint fails. */
export const hasErrors = (findings: readonly TextFinding[]) => findings.some(({ level }) => level === 'error')
