import { CopyButton } from './copy-button.tsx'

/** A command to take along. */
export function CodeLine({ text, label }: { text: string; label: string }) {
  return (
    <div className="code-line">
      <code tabIndex={0}>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  )
}
