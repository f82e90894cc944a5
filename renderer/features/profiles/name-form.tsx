import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { newNameProblem } from '../../../shared/domain/profile-name.ts'
import { useActions, useApp, useAppParts } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import './profiles.css'

export interface NameFormProps {
  title: string
  /** What the button says, and what it says while it works. */
  verb: readonly [string, string]
  /** Stands in the field at first, selected. */
  suggested?: string
  onName: (name: string) => void
  /** Stands between the name and the buttons. */
  children?: ReactNode
}

/** Asks for the name of a profile, in place. What is wrong with it is said while it is typed. */
export function NameForm({ title, verb, suggested = '', onName, children }: NameFormProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [name, setName] = useState(suggested)
  const taken = useAppParts(({ profiles }) => (profiles ?? []).map((profile) => profile.name))
  const error = useApp((state) => state.taskError)
  const isBusy = useApp((state) => state.isTaskBusy)
  const { startTask } = useActions()
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  const problem = isBusy || name === suggested ? null : newNameProblem(name, taken)
  const said = problem ?? (error && [error.message, error.hint].filter(Boolean).join(' '))
  const canSend = name !== '' && newNameProblem(name, taken) === null && !isBusy
  return (
    <form
      className="name-form"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault()
        if (canSend) onName(name)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        startTask(null)
      }}
    >
      <label htmlFor={id}>{title}</label>
      <input
        ref={field}
        id={id}
        className="input"
        value={name}
        placeholder="Name"
        spellCheck={false}
        autoComplete="off"
        aria-invalid={said !== null}
        aria-describedby={said === null ? undefined : `${id}-problem`}
        onChange={({ target }) => setName(target.value)}
      />
      <p id={`${id}-problem`} className="name-problem bad-text" role="alert" hidden={said === null}>
        {said}
      </p>
      {children}
      <div className="actions">
        <Button type="submit" look="primary" disabled={!canSend}>
          {isBusy ? verb[1] : verb[0]}
        </Button>
        <Button onClick={() => startTask(null)}>Cancel</Button>
      </div>
    </form>
  )
}
