import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'

export interface ConfirmProps {
  question: string
  yes: string
  no: string
  onYes: () => void
  onNo: () => void
}

/** Asks once, where the button was. The safe answer has the focus. */
export function Confirm({ question, yes, no, onYes, onNo }: ConfirmProps) {
  const safe = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    safe.current?.focus()
  }, [])
  return (
    <div
      className="confirm"
      role="group"
      aria-label={question}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onNo()
      }}
    >
      <span className="confirm-question">{question}</span>
      <Button look="danger" onClick={onYes}>
        {yes}
      </Button>
      <Button ref={safe} onClick={onNo}>
        {no}
      </Button>
    </div>
  )
}
