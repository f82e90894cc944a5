import { type ReactNode, useEffect, useRef } from 'react'

interface QuestionProps {
  /** Names it for screen readers. */
  label: string
  children: ReactNode
  yes: string
  no?: string
  onYes: () => void
  onNo: () => void
}

/** A question in the place where it comes up. Esc is no, and the focus goes back to where it was. */
export function Question({ label, children, yes, no = 'Cancel', onYes, onNo }: QuestionProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const before = document.activeElement
    button.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <div
      className="line"
      role="alertdialog"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onNo()
      }}
    >
      <div className="line-text">{children}</div>
      <button ref={button} className="button" onClick={onYes}>
        {yes}
      </button>
      <button className="button" onClick={onNo}>
        {no}
      </button>
    </div>
  )
}
