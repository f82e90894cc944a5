import { differenceOf } from '../text-difference.ts'
import { allowlistStart } from './allowlist-start.ts'
import { type FieldName, type FieldValue, type FormContext, parseProfile, setField, type SetResult } from './profile-form.ts'

/**
 * Changes a field as a person does it: as `setField`, and an allowlist that would be empty gets a start. One that is still
 * as it started goes with the mode, so that whoever only tries modes leaves nothing behind. Pure.
 */
export function changeField<N extends FieldName>(text: string, name: N, value: FieldValue<N>, context: FormContext = {}): SetResult {
  const result = setField(text, name, value, context)
  if (!result.ok || name !== 'egress') return result
  const [before, after] = [parseProfile(text, context), parseProfile(result.text, context)]
  const [was, is, { allow }] = [modeIn(before), modeIn(after), after.values]
  if (was === is || allow.kind !== 'value') return result
  const start = allowlistStart(after)
  const isStart = allow.value.join() === start.join()
  const wanted = is === 'allowlist' && allow.value.length === 0 ? start : was === 'allowlist' && isStart ? [] : null
  const changed = wanted === null ? result : setField(result.text, 'allow', wanted, context)
  if (!changed.ok || changed === result) return result
  const difference = differenceOf(text, changed.text)
  return { ok: true, text: changed.text, edits: difference ? [difference] : [] }
}

const modeIn = ({ values: { egress } }: ReturnType<typeof parseProfile>) => (egress.kind === 'value' ? egress.value : null)
