import { memo } from 'react'
import type { LabelView } from '../../../../shared/domain/profile-form/profile-form.ts'

/** Drawn anew only when an argument changed. */
const isSame = (a: { label: LabelView }, b: { label: LabelView }) => a.label.kind === b.label.kind && a.label.lines.length === b.label.lines.length && a.label.lines.every(({ text }, at) => text === b.label.lines[at]!.text)

/** The run label as one reads it: an argument a line. */
export const LabelText = memo(({ label: { kind, lines } }: { label: LabelView }) => {
  if (lines.length === 0) return null
  return (
    <details className="form-part fold label-fold">
      <summary>{kind === 'inherited' ? 'Run label of the base' : 'Run label'}</summary>
      <ol className="label-lines selectable mono">
        {lines.map(({ text }, at) => (
          <li key={at}>{text}</li>
        ))}
      </ol>
    </details>
  )
}, isSame)
