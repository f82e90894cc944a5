import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { icon } from './icon.ts'

const shownMs = 1_500

/** Copies, and says that it did. */
export function CopyButton({ label, copy }: { label: string; copy: () => Promise<unknown> }) {
  const [isDone, setDone] = useState(false)
  return (
    <button
      className="icon-button"
      aria-label={isDone ? 'Copied' : label}
      title={label}
      onClick={async () => {
        await copy()
        setDone(true)
        setTimeout(() => setDone(false), shownMs)
      }}
    >
      {isDone ? <Check {...icon} className="good" /> : <Copy {...icon} />}
    </button>
  )
}
