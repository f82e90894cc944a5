import { useEffect, useMemo, useState } from 'react'
import { findFailedStep } from '../../../shared/domain/containerfile/failed-step.ts'
import { type Document, imageStages, readDocument } from '../../../shared/domain/profile-form/containerfile-document.ts'
import { lintProfile } from '../../../shared/domain/profile-form/lint/lint-profile.ts'
import { type ChangePreview, previewChange } from '../../../shared/domain/profile-form/preview-change.ts'
import { parseProfile, type ProfileForm } from '../../../shared/domain/profile-form/profile-form.ts'
import type { TextFinding } from '../../../shared/domain/text-finding.ts'
import type { OpenEditor } from '../../store/open-editor.ts'
import type { Work } from '../../store/work.ts'
import { useSettled } from './use-settled.ts'

/** What is known of a text that is being written. */
export interface ReadProfile {
  /** The text that all of this is about; the newest may be a moment ahead. */
  text: string
  form: ProfileForm
  findings: readonly TextFinding[]
  /** What saving would mean; null where there is nothing to save. */
  preview: ChangePreview | null
  /** Reads a text at once: the next change of the form starts from what the last one left. */
  follow: (editor: OpenEditor) => void
}

const baseOf = (document: Document) => imageStages(document).at(-1)?.image ?? null

/** The label that an editor's text inherits; null where it is not known, as for a moment after the base was changed. Pure. */
export function inheritedLabelOf({ text, inherited }: OpenEditor): string | null {
  return baseOf(readDocument(text)) === baseOf(readDocument(inherited.text)) ? inherited.label : null
}

/** Reads a text with the label that it inherits, as far as that is known. Pure. */
function readProfile(text: string, label: string | null, knownBase: string | null): ProfileForm {
  const form = parseProfile(text, { inheritedLabel: label })
  return label === null || baseOf(form.source) === knownBase ? form : parseProfile(text)
}

/** Reads the text for the form and the findings, a moment after the key: the letter itself comes first. */
export function useProfileForm(editor: OpenEditor, build: Work | undefined): ReadProfile {
  const [{ text, inherited, fileFindings }, follow] = useSettled(editor)
  const knownBase = useMemo(() => baseOf(readDocument(inherited.text)), [inherited.text])
  const form = useMemo(() => readProfile(text, inherited.label, knownBase), [text, inherited.label, knownBase])
  const failed = useMemo(() => (build?.status === 'failed' ? failedStepFinding(text, build) : []), [text, build])
  const own = useMemo(() => lintProfile(form), [form])
  const findings = useMemo(() => [...failed, ...own, ...fileFindings].sort((a, b) => a.start - b.start), [own, fileFindings, failed])
  return { text, form, findings, preview: usePreview(editor.saved, editor.text), follow }
}

/** Reading both texts once more is too much for every key, and nobody reads a sentence while typing. */
const previewAfterMs = 200

function usePreview(saved: string, text: string): ChangePreview | null {
  const [preview, setPreview] = useState<ChangePreview | null>(null)
  const isSame = text === saved
  useEffect(() => {
    if (isSame) return setPreview(null)
    const timer = setTimeout(() => setPreview(previewChange(saved, text)), previewAfterMs)
    return () => clearTimeout(timer)
  }, [saved, text, isSame])
  return isSame ? null : preview
}

/** The step that a build stopped at, as one more finding at its line. */
function failedStepFinding(text: string, { log, error }: Work): TextFinding[] {
  const failed = findFailedStep(text, log)
  if (!failed) return []
  const { line, start, end, step } = failed
  const lastWords = error?.stderrTail?.trim().split('\n').at(-1) ?? error?.message ?? ''
  return [{ level: 'error', rule: failedRule, message: `The build stopped here, at step ${step}.`, why: lastWords, line, column: 1, start, end, fix: null }]
}

export const failedRule = 'build-step'
