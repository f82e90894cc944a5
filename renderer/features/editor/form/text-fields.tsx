import { memo, useState } from 'react'
import type { FieldName, FieldValue } from '../../../../shared/domain/profile-form/profile-form.ts'
import { exactSize, readSize, tmpfsSize } from '../../../../shared/domain/size-words.ts'
import { FieldRow } from './field-row.tsx'
import { type StateOf, useForm } from './form-context.tsx'
import { useTyped } from './use-typed.ts'

/** How a value is shown in a text box, and read from it. */
interface Spelling<N extends FieldName> {
  show: (value: FieldValue<N>) => string
  /** null where the text is no such value. */
  read: (text: string) => FieldValue<N> | undefined
  wrong: string
}

export interface TextFieldProps<N extends FieldName> {
  name: N
  label: string
  state: StateOf<N>
  hint?: string
  placeholder?: string
}

function SpelledField<N extends FieldName>({ name, label, state, hint, placeholder, spelling, isMono }: TextFieldProps<N> & { spelling: Spelling<N>; isMono: boolean }) {
  const { change } = useForm()
  const read = (text: string) => spelling.read(text.trim())
  const spell = (text: string) => {
    const value = read(text)
    return value === undefined ? null : spelling.show(value)
  }
  const take = (text: string) => {
    const value = read(text)
    return value === undefined ? spelling.wrong : change(name, value)
  }
  const typed = useTyped(state.kind === 'value' ? spelling.show(state.value) : '', spell, take)
  return (
    <FieldRow label={label} hint={hint} why={typed.why} state={state}>
      {(ids) => <input {...ids} className={`input ${isMono ? 'mono' : ''}`} value={typed.text} placeholder={placeholder} onChange={({ target }) => typed.onChange(target.value)} onBlur={typed.onBlur} spellCheck={false} />}
    </FieldRow>
  )
}

const plain: Spelling<'base'> = { show: (value) => value, read: (text) => text, wrong: '' }
const orNone: Spelling<'workdir'> = { show: (value) => value ?? '', read: (text) => (text === '' ? null : text), wrong: '' }
const count: Spelling<'cpus'> = {
  show: (value) => (value === null ? '' : String(value)),
  read: (text) => (text === '' ? null : /^\d{1,9}$/.test(text) ? Number(text) : undefined),
  wrong: 'Write a whole number.',
}
const memory: Spelling<'ramMib'> = {
  show: (value) => (value === null ? '' : exactSize(value * 1024 ** 2)),
  read(text) {
    const bytes = text === '' ? null : readSize(text, 'm')
    return text === '' ? null : bytes === null || bytes % 1024 ** 2 !== 0 ? undefined : bytes / 1024 ** 2
  },
  wrong: 'Write a size, as in 4 GiB or 512 MiB.',
}
const tmpfs: Spelling<'tmpSize'> = {
  show: (value) => (value === null ? '' : exactSize(readSize(value) ?? 1)),
  read(text) {
    const bytes = text === '' ? null : readSize(text, 'm')
    return text === '' ? null : bytes === null ? undefined : tmpfsSize(bytes)
  },
  wrong: 'Write a size, as in 2 GiB or 512 MiB.',
}

export const BaseField = memo((props: Omit<TextFieldProps<'base'>, 'name'>) => <SpelledField name="base" {...props} spelling={plain} isMono />)
export const FolderField = memo((props: Omit<TextFieldProps<'workdir'>, 'name'>) => <SpelledField name="workdir" {...props} spelling={orNone} isMono />)
export const CountField = memo((props: TextFieldProps<'cpus' | 'pids'>) => <SpelledField {...(props as TextFieldProps<'cpus'>)} spelling={count} isMono={false} />)
export const MemoryField = memo((props: Omit<TextFieldProps<'ramMib'>, 'name'>) => <SpelledField name="ramMib" {...props} spelling={memory} isMono={false} />)
export const TmpField = memo((props: Omit<TextFieldProps<'tmpSize'>, 'name'>) => <SpelledField name="tmpSize" {...props} spelling={tmpfs} isMono={false} />)

export interface SelectFieldProps<N extends FieldName> extends TextFieldProps<N> {
  choices: readonly (readonly [FieldValue<N>, string])[]
}

/** One of a few values. */
export function SelectField<N extends 'egress' | 'home' | 'desktop'>({ name, label, state, hint, choices }: SelectFieldProps<N>) {
  const { change } = useForm()
  const [why, setWhy] = useState<string | null>(null)
  const at = state.kind === 'value' ? choices.findIndex(([value]) => value === state.value) : -1
  return (
    <FieldRow label={label} hint={hint} why={why} state={state}>
      {(ids) => (
        <select {...ids} className="input" value={at} onChange={({ target }) => setWhy(change(name, choices[Number(target.value)]![0]))}>
          {choices.map(([, text], index) => (
            <option key={text} value={index}>
              {text}
            </option>
          ))}
        </select>
      )}
    </FieldRow>
  )
}
