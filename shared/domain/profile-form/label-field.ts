import type { Edit } from '../containerfile/edit.ts'
import { isRefusal, type Refusal } from '../containerfile/glyphs.ts'
import { type Field, type FieldState, type FormSource, unsupported, valueState } from './field.ts'
import type { RunLabelSource } from './run-label-source.ts'

/** A field that is read from and written to the run label alone. */
export interface LabelField<T> {
  read(label: RunLabelSource): FieldState<T>
  /** Edits of `source`, the text in which the label stands. */
  write(source: string, label: RunLabelSource, value: T): Edit[] | Refusal
  check(value: T): string | null
  /** What the form shows where there is no run label at all. */
  absent: T
}

/** Makes a field of one of the label's: with inherited values, and a refusal where the label cannot be changed. */
export function labelField<T>({ read, write, check, absent }: LabelField<T>): Field<T> {
  return {
    check,
    read({ label, inherited }) {
      if (label) return isRefusal(label) ? unsupported(label.why, label.span) : read(label)
      if (!inherited || isRefusal(inherited)) return valueState(absent)
      const state = read(inherited)
      return state.kind === 'value' ? valueState(state.value, null, true) : { ...state, span: null }
    },
    write({ text, label }, value) {
      if (!label) return { why: 'the profile has no run label' }
      return isRefusal(label) ? label : write(text, label, value)
    },
  }
}

/** Whether writing must start with a copy of the label that the image below hands down. */
export function needsOwnLabel({ label, inherited }: FormSource): boolean {
  return label === null && inherited !== null && !isRefusal(inherited)
}
