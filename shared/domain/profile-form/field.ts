import type { Edit, Span } from '../containerfile/edit.ts'
import type { Refusal } from '../containerfile/glyphs.ts'
import type { Document } from './containerfile-document.ts'
import type { OpaqueLabel, RunLabelSource } from './run-label-source.ts'

/** What the form shows of one field. */
export type FieldState<T> =
  | {
      kind: 'value'
      value: T
      /** Where the text says so; null where it says nothing. */
      span: Span | null
      /** True where a profile below says so and this text does not. */
      isInherited: boolean
    }
  /** The text says something that the form cannot express; it is shown as it is and left alone. */
  | { kind: 'unsupported'; why: string; span: Span | null }

/** What fields are read from. */
export interface FormSource extends Document {
  label: RunLabelSource | OpaqueLabel | null
  /** The label that the image below hands down, already in the form of the one that a change would write. */
  inherited: RunLabelSource | OpaqueLabel | null
}

/** One field of the form. */
export interface Field<T> {
  read(source: FormSource): FieldState<T>
  /** @throws nothing: what would do damage is refused. */
  write(source: FormSource, value: T): Edit[] | Refusal
  /** Why a value cannot be one of this field's; null when it can. */
  check(value: T): string | null
}

export const valueState = <T>(value: T, span: Span | null = null, isInherited = false): FieldState<T> => ({ kind: 'value', value, span, isInherited })
export const unsupported = (why: string, span: Span | null = null): FieldState<never> => ({ kind: 'unsupported', why, span })
