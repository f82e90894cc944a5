import { X } from 'lucide-react'
import { type KeyboardEvent, memo, type ReactNode, useRef, useState } from 'react'
import { addItems } from '../../../../shared/domain/profile-form/assign-field.ts'
import type { FieldValue } from '../../../../shared/domain/profile-form/profile-form.ts'
import { Icon } from '../../../ui/icon.tsx'
import { FieldRow } from './field-row.tsx'
import { type StateOf, useForm } from './form-context.tsx'

type ListName = 'apt' | 'npm' | 'pip' | 'uvTools' | 'agents' | 'environment' | 'mounts' | 'ports' | 'allow' | 'flags'
export type Item<N extends ListName> = FieldValue<N> extends readonly (infer T)[] ? T : never

/** What can be added: a word, or one with what it means. */
export type Suggestion = string | { word: string; meaning: string }

export interface ListFieldProps<N extends ListName> {
  name: N
  label: string
  state: StateOf<N>
  placeholder: string
  hint?: string
  suggestions?: readonly Suggestion[]
  /** What a person calls an item. */
  nameOf: (item: Item<N>) => string
  /** Draws an item on a line of its own; absent, items are words beside each other. */
  renderItem?: (item: Item<N>, replace: (item: Item<N>) => string | null) => ReactNode
  /** Another way to add one, beside the box for typing. */
  extra?: (add: (item: Item<N>) => void) => ReactNode
}

/** More are not read, and laying them out costs with every key. */
const maxShown = 60

/** A list: what is in it, each with a way to take it out, and a box to add more. */
function PlainListField<N extends ListName>({ name, label, state, placeholder, hint, suggestions, nameOf, renderItem, extra }: ListFieldProps<N>) {
  const { change } = useForm()
  const [typed, setTyped] = useState('')
  const [why, setWhy] = useState<string | null>(null)
  const [isWhole, setWhole] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const items = (state.kind === 'value' ? state.value : []) as unknown as Item<N>[]
  const shown = isWhole ? items : items.slice(0, maxShown)
  const put = (value: Item<N>[]) => {
    const refusal = change(name, value as unknown as FieldValue<N>)
    setWhy(refusal)
    return refusal
  }
  const add = () => {
    if (typed.trim() === '') return
    const value = addItems(name, items, typed)
    if (value instanceof Error) return setWhy(value.message)
    if (put(value as unknown as Item<N>[]) === null) setTyped('')
  }
  const remove = (at: number) => {
    if (put(items.toSpliced(at, 1)) !== null) return
    const next = list.current?.querySelectorAll('button[data-remove]')[at + 1] ?? list.current?.querySelectorAll('button[data-remove]')[at - 1] ?? input.current
    if (next instanceof HTMLElement) next.focus()
  }
  /** One stop for Tab; arrows move from the box into the list. */
  const onKey = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('button[data-remove]') ?? [])]
    const at = buttons.indexOf(event.target as HTMLElement)
    const isAtStart = event.target === input.current && input.current.selectionStart === 0 && input.current.selectionEnd === 0
    const isTyping = at < 0 && event.target !== input.current
    if (isTyping || (at < 0 && !isAtStart)) return
    const back = event.key === 'ArrowLeft' || event.key === 'ArrowUp'
    const forth = event.key === 'ArrowRight' || event.key === 'ArrowDown'
    if (at >= 0 && (event.key === 'Delete' || event.key === 'Backspace')) remove(at)
    else if (at < 0 && event.key === 'Backspace' && typed === '' && items.length > 0) buttons.at(-1)?.focus()
    else if (back) (at < 0 ? buttons.at(-1) : buttons[at - 1])?.focus()
    else if (forth && at >= 0) (buttons[at + 1] ?? input.current)?.focus()
    else return
    event.preventDefault()
  }
  return (
    <FieldRow label={label} hint={hint} why={why} state={state}>
      {(ids) => (
        <div className={renderItem ? 'item-rows' : 'tokens input'} onKeyDown={onKey}>
          {items.length > 0 && (
            <ul ref={list} className={renderItem ? 'item-list' : 'token-list'} aria-label={label}>
              {shown.map((item, at) => (
                <li key={nameOf(item)} className={renderItem ? 'item-row' : 'token'}>
                  {renderItem ? renderItem(item, (other) => put(items.with(at, other))) : <span className="token-text">{nameOf(item)}</span>}
                  <button type="button" data-remove className={renderItem ? 'icon-button' : 'token-remove'} tabIndex={renderItem ? 0 : -1} aria-label={`Remove ${nameOf(item)}`} onClick={() => remove(at)}>
                    <Icon of={X} />
                  </button>
                </li>
              ))}
            </ul>
          )}
          {shown.length < items.length && (
            <button type="button" className="token-more" onClick={() => setWhole(true)}>
              {items.length - shown.length} more
            </button>
          )}
          <div className="add-row">
            <input
              ref={input}
              {...ids}
              className={renderItem ? 'input mono' : 'token-input mono'}
              value={typed}
              placeholder={items.length === 0 || renderItem ? placeholder : 'Add'}
              spellCheck={false}
              list={suggestions ? `${ids.id}-known` : undefined}
              onChange={({ target }) => {
                setTyped(target.value)
                setWhy(null)
              }}
              onBlur={add}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                add()
              }}
            />
            {suggestions && (
              <datalist id={`${ids.id}-known`}>
                {suggestions.map((one) => (typeof one === 'string' ? { word: one, meaning: undefined } : one)).map(({ word, meaning }) => (
                  <option key={word} value={word} label={meaning} />
                ))}
              </datalist>
            )}
            {extra?.((item) => void put([...items, item]))}
          </div>
        </div>
      )}
    </FieldRow>
  )
}

export const ListField = memo(PlainListField) as typeof PlainListField
