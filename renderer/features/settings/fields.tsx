import { useEffect, useId, useState } from 'react'

interface FieldProps<T> {
  label: string
  hint?: string | undefined
  value: T
  onChange: (value: T) => void
}

export function ChoiceField<T extends string>({ label, hint, value, choices, onChange }: FieldProps<T> & { choices: readonly (readonly [T, string])[] }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="input" value={value} aria-describedby={hint ? `${id}-hint` : undefined} onChange={({ target }) => onChange(target.value as T)}>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
      <Hint id={id} text={hint} />
    </div>
  )
}

/** Saved when the person leaves it or presses Enter, not at each letter. Empty restores the default. */
export function TextField({ label, hint, value, placeholder, onChange }: Omit<FieldProps<string>, 'onChange'> & { placeholder: string; onChange: (value: string | undefined) => void }) {
  const id = useId()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const save = () => text.trim() !== value && onChange(text.trim() || undefined)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input"
        value={text}
        placeholder={placeholder}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ target }) => setText(target.value)}
        onBlur={save}
        onKeyDown={({ key }) => key === 'Enter' && save()}
      />
      <Hint id={id} text={hint} />
    </div>
  )
}

export function NumberField({ label, hint, value, unit, min, max, onChange }: FieldProps<number> & { unit: string; min: number; max: number }) {
  const id = useId()
  const [text, setText] = useState(String(value))
  useEffect(() => setText(String(value)), [value])
  const take = (typed: string) => {
    setText(typed)
    const number = Number(typed)
    if (Number.isInteger(number) && number >= min && number <= max && number !== value) onChange(number)
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <span className="number">
        <input id={id} className="input" type="number" min={min} max={max} value={text} onChange={({ target }) => take(target.value)} onBlur={() => setText(String(value))} />
        <span className="quiet">{unit}</span>
      </span>
      <Hint id={id} text={hint} />
    </div>
  )
}

export function CheckField({ label, hint, isOn, onChange }: { label: string; hint?: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  const id = useId()
  return (
    <div className="check-field">
      <input id={id} type="checkbox" checked={isOn} aria-describedby={hint ? `${id}-hint` : undefined} onChange={({ target }) => onChange(target.checked)} />
      <label htmlFor={id}>{label}</label>
      <Hint id={id} text={hint} />
    </div>
  )
}

function Hint({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null
  return (
    <p id={`${id}-hint`} className="field-hint quiet">
      {text}
    </p>
  )
}
