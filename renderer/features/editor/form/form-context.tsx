import { createContext, use, useRef } from 'react'
import type { Span } from '../../../../shared/domain/containerfile/edit.ts'
import { type FieldName, fieldNames, type FieldState, type FieldValue, type ProfileForm } from '../../../../shared/domain/profile-form/profile-form.ts'

/** What a field of the form does to the text. It stays the same object, so that only a field whose value changed is drawn anew. */
export interface FormHandle {
  /** Changes the text; why it could not, in a sentence, else null. */
  change<N extends FieldName>(name: N, value: FieldValue<N>): string | null
  reveal(span: Span): void
}

const Context = createContext<FormHandle | null>(null)
export const FormProvider = Context

export function useForm(): FormHandle {
  const form = use(Context)
  if (!form) throw new Error('The form is missing')
  return form
}

export type Values = ProfileForm['values']
export type StateOf<N extends FieldName> = FieldState<FieldValue<N>>

/** The values of a form, each the same object for as long as it says the same. */
export function useStableValues({ values }: ProfileForm): Values {
  const last = useRef<Values>(values)
  const same = (a: Values[FieldName], b: Values[FieldName]) => JSON.stringify({ ...a, span: null }) === JSON.stringify({ ...b, span: null })
  // A place that moved matters only where it is shown to be gone to.
  const isUsable = (name: FieldName) => same(last.current[name], values[name]) && (values[name].kind === 'value' || last.current[name].span?.start === values[name].span?.start)
  last.current = Object.fromEntries(fieldNames.map((name) => [name, isUsable(name) ? last.current[name] : values[name]])) as Values
  return last.current
}
