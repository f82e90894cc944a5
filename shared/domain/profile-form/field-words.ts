import { type ExtraMount, sharedHome } from './mount-fields.ts'
import type { FieldName, ProfileForm } from './profile-form.ts'

/** A field's value as a person would type it; empty where there is none. Pure. */
export function fieldInWords(name: FieldName, state: ProfileForm['values'][FieldName]): string {
  if (state.kind === 'unsupported') return `(only in the text: ${state.why})`
  const value = state.value as unknown
  if (value === null) return ''
  if (name === 'home') return value === sharedHome ? 'shared' : String(value)
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.map((item) => itemInWords(name, item)).join(', ') : String(value)
}

function itemInWords(name: FieldName, item: unknown): string {
  if (name === 'environment') {
    const { name: variable, value } = item as { name: string; value: string }
    return `${variable}=${value}`
  }
  if (name === 'mounts') {
    const { source, target, readOnly } = item as ExtraMount
    return `${source}:${target}:${readOnly ? 'ro' : 'rw'}`
  }
  return String(item)
}
