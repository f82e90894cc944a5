import { Button } from '../../ui/button.tsx'

export interface PasteBarProps {
  text: string
  lines: number
  onPaste: () => void
  onClose: () => void
}

const shownChars = 2_000

/** Warns of a paste whose lines the program would run one after the other. */
export function PasteBar({ text, lines, onPaste, onClose }: PasteBarProps) {
  return (
    <div
      className="paste-bar"
      role="alertdialog"
      aria-label={`Paste ${lines} lines`}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
    >
      <div className="bar warn-bar">
        <span className="grow">Paste {lines} lines? The program in the terminal would run each one at once.</span>
        <Button onClick={onPaste}>Paste</Button>
        <Button autoFocus onClick={onClose}>
          Do not paste
        </Button>
      </div>
      <pre tabIndex={0} aria-label="What would be pasted">
        {text.slice(0, shownChars)}
        {text.length > shownChars && '…'}
      </pre>
    </div>
  )
}
