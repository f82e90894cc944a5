import { type ReactNode, useId } from 'react'
import type { FieldState } from '../../../../shared/domain/profile-form/profile-form.ts'
import { Button } from '../../../ui/button.tsx'
import { useForm } from './form-context.tsx'

export interface FieldIds {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export interface FieldRowProps {
  label: string
  hint?: string | undefined
  /** Why what was typed is not in the text. */
  why: string | null
  state: FieldState<unknown>
  /** Draws the control. Not called where the text says something that the form cannot express. */
  children: (ids: FieldIds) => ReactNode
}

/** A field of the form: its name, its control, and what there is to say about it. */
export function FieldRow({ label, hint, why, state, children }: FieldRowProps) {
  const id = useId()
  const { reveal } = useForm()
  if (state.kind === 'unsupported') {
    const { span } = state
    return (
      <div className="form-field">
        <span className="form-label">{label}</span>
        <p className="form-text-only quiet">
          Only in the text: {state.why}.{' '}
          {span && (
            <Button look="quiet" className="form-reveal" onClick={() => reveal(span)}>
              Show<span className="sr-only"> {label} in the text</span>
            </Button>
          )}
        </p>
      </div>
    )
  }
  const described = [why !== null && `${id}-why`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className="form-field">
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      <div className="form-control">
        {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': why === null ? undefined : true })}
        {why !== null && (
          <p id={`${id}-why`} className="form-note bad-text" role="alert">
            {why}
          </p>
        )}
        {hint && (
          <p id={`${id}-hint`} className="form-note quiet">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
