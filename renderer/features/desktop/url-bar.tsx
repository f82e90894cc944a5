import { useState } from 'react'
import { isOpenableUrl, typedUrl } from '../../../shared/domain/openable-url.ts'
import { Button } from '../../ui/button.tsx'

/** Asks which address the desktop's browser is to open. */
export function UrlBar({ onOpen, onClose }: { onOpen: (url: string) => void; onClose: () => void }) {
  const [text, setText] = useState('')
  const url = typedUrl(text)
  const canOpen = isOpenableUrl(url)
  return (
    <form
      className="bar"
      aria-label="Open an address in the desktop"
      onSubmit={(event) => {
        event.preventDefault()
        if (canOpen) onOpen(url)
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
    >
      <input className="input grow" autoFocus value={text} aria-label="Address" placeholder="https://" spellCheck={false} onChange={({ target }) => setText(target.value)} />
      <Button type="submit" disabled={!canOpen}>
        Open
      </Button>
      <Button look="quiet" onClick={onClose}>
        Close
      </Button>
    </form>
  )
}
